package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;

/**
 * Declares the properties of a backend before it is connected, so that a client can be created ahead of its server. Immutable.
 *
 * @param capabilities the least that the backend will promise: the weaker promise if only the server decides
 * @param tokenFloor true if it will have a {@link LockBackend#tokenFloor}
 * @param commandTimeout the longest time that a call may wait for the connection
 */
public record BackendDeclaration(Capabilities capabilities, boolean tokenFloor, Duration commandTimeout) {

    /** Refuses null. */
    public BackendDeclaration {
        Objects.requireNonNull(capabilities, "capabilities");
        Objects.requireNonNull(commandTimeout, "commandTimeout");
    }
}
