package io.hasp.conformance.servers;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a server did not start, stop or answer as it should; the message ends with the tail of its log, if there is
 * one.
 */
public final class ServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
