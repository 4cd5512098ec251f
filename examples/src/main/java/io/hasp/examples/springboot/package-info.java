/** A shop in two instances, of which one is killed while it sells. */
@NullMarked
package io.hasp.examples.springboot;

import org.jspecify.annotations.NullMarked;
