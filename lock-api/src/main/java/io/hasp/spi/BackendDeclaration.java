package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * What is known of a backend before it is connected, so that a client can be made ahead of its server. Immutable.
 *
 * @param capabilities what it will promise at least: where only the server tells, the weaker promise
 * @param tokenFloor whether it will have a {@link LockBackend#tokenFloor}
 * @param commandTimeout how long a call may wait for the connection
 */
public record BackendDeclaration(Capabilities capabilities, boolean tokenFloor, Duration commandTimeout) {

    /** Refuses null. */
    public BackendDeclaration {
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(commandTimeout, "commandTimeout");
    }
}
