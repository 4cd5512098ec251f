/** The simulated clients and their callers, with the executors, the timers and the pools that the engine uses. */
@NullMarked
package io.hasp.simulator.clients;

import org.jspecify.annotations.NullMarked;
