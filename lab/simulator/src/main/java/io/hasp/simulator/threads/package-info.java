/** The simulated threads of all clients of a run: one runs at a time, and the scheduler decides which one. */
@NullMarked
package io.hasp.simulator.threads;

import org.jspecify.annotations.NullMarked;
