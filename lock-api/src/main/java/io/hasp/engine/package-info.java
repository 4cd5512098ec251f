/**
 * The engine between the API and the backends: one state machine for each lock name of a client, and the driver that applies
 * events to it and starts its effects. Not exported. Data flows one way: {@code io.hasp} calls this package, which calls
 * {@code io.hasp.spi}.
 */
@NullMarked
package io.hasp.engine;

import org.jspecify.annotations.NullMarked;
