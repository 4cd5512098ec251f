/** A payout, checked inside its own transaction. */
@NullMarked
package io.hasp.examples.payout;

import org.jspecify.annotations.NullMarked;
