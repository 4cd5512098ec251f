/**
 * Runs the engine with simulated clients, callers, network and server, on virtual time and one thread. A seed decides every step.
 * The checks run after each step. A violation is shrunk to a short schedule.
 */
@NullMarked
package io.hasp.simulator;

import org.jspecify.annotations.NullMarked;
