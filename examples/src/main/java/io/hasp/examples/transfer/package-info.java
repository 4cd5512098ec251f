/** A transfer needs the locks of two accounts. */
@NullMarked
package io.hasp.examples.transfer;

import org.jspecify.annotations.NullMarked;
