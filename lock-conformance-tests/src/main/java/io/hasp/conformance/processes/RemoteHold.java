package io.hasp.conformance.processes;

import io.hasp.conformance.Hold;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A lock that a {@link ClientJvm} took. Thread-safe. */
public final class RemoteHold implements Hold {
    private final ClientJvm client;
    private final String lock;
    private final long number;
    private final long token;

    RemoteHold(ClientJvm client, String lock, long number, long token) {
        this.client = client;
        this.lock = lock;
        this.number = number;
        this.token = token;
    }

    @Override
    public OptionalLong token() {
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    /** {@inheritDoc} Sends a request to the process; false if the process has ended. */
    @Override
    public boolean believesHeld() {
        return client.believes(number);
    }

    @Override
    public boolean release() throws Exception {
        return ClientJvm.await(releasing(), Duration.ZERO);
    }

    /**
     * Begins the release and does not wait for it.
     *
     * @return as {@link #release}
     */
    public CompletableFuture<Boolean> releasing() {
        return client.releasing(number);
    }

    @Override
    public String toString() {
        return client.name() + " #" + number + " of " + lock;
    }
}
