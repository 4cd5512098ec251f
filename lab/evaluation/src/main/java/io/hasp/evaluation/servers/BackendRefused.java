package io.hasp.evaluation.servers;

import org.jspecify.annotations.Nullable;

/** A server that the user runs can't be used. The message names the server and the reason, and no credentials. */
public final class BackendRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BackendRefused(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
