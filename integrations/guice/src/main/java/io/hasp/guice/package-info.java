/** Hasp in a Guice injector. */
@NullMarked
package io.hasp.guice;

import org.jspecify.annotations.NullMarked;
