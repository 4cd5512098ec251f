/** The parts of a run that all others share: the configuration, the clock, the choices, the trace and the violation. */
@NullMarked
package io.hasp.simulator.world;

import org.jspecify.annotations.NullMarked;
