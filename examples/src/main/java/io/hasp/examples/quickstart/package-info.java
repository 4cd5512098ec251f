/** The first minutes with Hasp. */
@NullMarked
package io.hasp.examples.quickstart;

import org.jspecify.annotations.NullMarked;
