/**
 * The engine on a simulated world: clients, callers and lock names over a reference server, on virtual time and one thread. A
 * seed decides every next step; what must hold is checked after each; a violation is shrunk to a short schedule.
 */
@NullMarked
package io.hasp.simulator;

import org.jspecify.annotations.NullMarked;
