/** A database refuses the write of a holder whose lock was given to another. */
@NullMarked
package io.hasp.examples.fencing;

import org.jspecify.annotations.NullMarked;
