package io.hasp.redis.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connection that all commands share: made when it is needed, and another one when it is of no use any more. Thread-safe. */
final class CommandConnection {
    private final LettuceClient client;
    private final Supplier<CompletableFuture<StatefulRedisConnection<String, String>>> connector;
    private volatile @Nullable OrderedConnection current;
    /** Under way, and to be the current one. Guarded by this. */
    private @Nullable CompletableFuture<OrderedConnection> connecting;

    private long connectingSince;

    /** On connections that are made as is said; the client is for its threads. */
    CommandConnection(
            LettuceClient client, Supplier<CompletableFuture<StatefulRedisConnection<String, String>>> connector) {
        this.client = client;
        this.connector = connector;
    }

    /** Null if there is none that works, as far as is known. */
    @Nullable
    OrderedConnection open() {
        OrderedConnection connection = current;
        return connection != null && connection.isOpen() ? connection : null;
    }

    /**
     * Opens a connection unless one is open. Callers share a connection that is being opened, but not one that is late: if an error of the
     * JVM ended the opening halfway, it never completes.
     */
    CompletableFuture<OrderedConnection> connect() {
        CompletableFuture<OrderedConnection> mine = new CompletableFuture<>();
        synchronized (this) {
            OrderedConnection open = open();
            if (open != null) {
                return CompletableFuture.completedFuture(open);
            }
            if (connecting != null
                    && System.nanoTime() - connectingSince
                            < client.longestConnect().toNanos()) {
                return connecting;
            }
            connecting = mine;
            connectingSince = System.nanoTime();
        }
        boolean begun = false;
        try {
            connector
                    .get()
                    .whenComplete((connection, failure) ->
                            connected(mine, connection == null ? null : new OrderedConnection(connection), failure));
            begun = true;
        } finally {
            if (!begun) {
                forget(mine);
            }
        }
        return mine;
    }

    private synchronized void forget(CompletableFuture<OrderedConnection> mine) {
        if (connecting == mine) {
            connecting = null;
        }
    }

    private void connected(
            CompletableFuture<OrderedConnection> mine,
            @Nullable OrderedConnection connection,
            @Nullable Throwable failure) {
        OrderedConnection former = connection;
        synchronized (this) {
            if (connecting == mine) {
                connecting = null;
                former = current;
                current = connection;
            }
        }
        if (connection != null) {
            mine.complete(connection);
        } else {
            mine.completeExceptionally(failure == null ? new IllegalStateException("no connection") : failure);
        }
        if (former != null) {
            former.closeWith(client);
        }
    }

    /** The next command takes another one. True if this was the current one. */
    boolean leave(OrderedConnection connection) {
        synchronized (this) {
            if (current != connection) {
                return false;
            }
            current = null;
        }
        connection.closeWith(client);
        return true;
    }

    /** The next command takes another one, to where the address leads by then. */
    void leave() {
        OrderedConnection connection;
        synchronized (this) {
            connecting = null;
            connection = current;
            current = null;
        }
        if (connection != null) {
            connection.closeWith(client);
        }
    }

    /** Closes the connection, and fails all calls that wait for the former server. */
    void cut(RuntimeException why) {
        OrderedConnection connection;
        CompletableFuture<OrderedConnection> waiting;
        synchronized (this) {
            waiting = connecting;
            connecting = null;
            connection = current;
            current = null;
        }
        if (connection != null) {
            connection.cut();
        }
        if (waiting != null) {
            waiting.completeExceptionally(why);
        }
    }
}
