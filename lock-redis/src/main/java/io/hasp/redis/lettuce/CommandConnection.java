package io.hasp.redis.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The connection that all commands share: made when it is needed, and another one when it is of no use any more. Thread-safe. */
final class CommandConnection {
    private final LettuceClient client;
    private volatile @Nullable StatefulRedisConnection<String, String> current;
    /** Under way, and to be the current one. Guarded by this. */
    private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> connecting;

    CommandConnection(LettuceClient client) {
        this.client = client;
    }

    /** Null if there is none that works, as far as is known. */
    @Nullable
    StatefulRedisConnection<String, String> open() {
        StatefulRedisConnection<String, String> connection = current;
        return connection != null && connection.isOpen() ? connection : null;
    }

    /** Takes another one unless one is open; callers that come meanwhile wait for the same one. */
    CompletableFuture<StatefulRedisConnection<String, String>> connect() {
        CompletableFuture<StatefulRedisConnection<String, String>> mine = new CompletableFuture<>();
        synchronized (this) {
            StatefulRedisConnection<String, String> open = open();
            if (open != null) {
                return CompletableFuture.completedFuture(open);
            }
            if (connecting != null) {
                return connecting;
            }
            connecting = mine;
        }
        client.connect().whenComplete((connection, failure) -> connected(mine, connection, failure));
        return mine;
    }

    private void connected(
            CompletableFuture<StatefulRedisConnection<String, String>> mine,
            @Nullable StatefulRedisConnection<String, String> connection,
            @Nullable Throwable failure) {
        StatefulRedisConnection<String, String> former = connection;
        synchronized (this) {
            if (connecting == mine) {
                connecting = null;
                former = current;
                current = connection;
            }
        }
        if (former != null) {
            client.end(former);
        }
        if (connection != null) {
            mine.complete(connection);
        } else {
            mine.completeExceptionally(failure == null ? new IllegalStateException("no connection") : failure);
        }
    }

    /** The next command takes another one. True if this was the current one. */
    boolean leave(StatefulRedisConnection<String, String> connection) {
        synchronized (this) {
            if (current != connection) {
                return false;
            }
            current = null;
        }
        client.end(connection);
        return true;
    }

    /** The next command takes another one, to where the address leads by then. */
    void leave() {
        StatefulRedisConnection<String, String> connection;
        synchronized (this) {
            connecting = null;
            connection = current;
            current = null;
        }
        if (connection != null) {
            client.end(connection);
        }
    }
}
