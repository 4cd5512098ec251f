/** A running service moves from one backend to another. */
@NullMarked
package io.hasp.examples.moving;

import org.jspecify.annotations.NullMarked;
