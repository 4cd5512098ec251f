/**
 * Random testing of Hasp's whole API on a real backend: many threads make calls that are drawn from a seed, and everything is
 * checked when they are done.
 */
@NullMarked
package io.hasp.conformance.random;

import org.jspecify.annotations.NullMarked;
