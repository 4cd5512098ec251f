/** A lock server that does what the backend contract asks, and no more. */
@NullMarked
package io.hasp.simulator.server;

import org.jspecify.annotations.NullMarked;
