/** The rules of a run, checked after each step. They observe the network and the clients through monitors. */
@NullMarked
package io.hasp.simulator.checks;

import org.jspecify.annotations.NullMarked;
