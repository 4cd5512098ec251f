/** A service gets its locks from a Guice injector. */
@NullMarked
package io.hasp.examples.guice;

import org.jspecify.annotations.NullMarked;
