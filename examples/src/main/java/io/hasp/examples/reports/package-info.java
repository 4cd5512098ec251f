/** So many at a time and no more, whichever process they are in. */
@NullMarked
package io.hasp.examples.reports;

import org.jspecify.annotations.NullMarked;
