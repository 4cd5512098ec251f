package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is known of a backend before it is connected, so that a client can be made ahead of its server. Immutable.
 *
 * @param capabilities what it will promise at least: where only the server tells, the weaker promise
 * @param tokenFloor whether it will have a {@link LockBackend#tokenFloor}
 * @param commandTimeout how long a call may wait for the connection
 * @param answersWithin as {@link LockBackend#answersWithin} of the connected backend
 */
public record BackendDeclaration(
        Capabilities capabilities, boolean tokenFloor, Duration commandTimeout, Optional<Duration> answersWithin) {

    /** Refuses null. */
    public BackendDeclaration {
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(commandTimeout, "commandTimeout");
        Objects.requireNonNull(answersWithin, "answersWithin");
    }
}
