/** A lock server that fulfils the backend contract, and does no more. */
@NullMarked
package io.hasp.simulator.server;

import org.jspecify.annotations.NullMarked;
