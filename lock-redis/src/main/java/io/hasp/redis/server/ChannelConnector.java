package io.hasp.redis.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A client library's connections that can listen to one channel. Thread-safe. */
public interface ChannelConnector {
    /** Makes one, and does not wait for it. */
    CompletableFuture<? extends Connection> connect();

    /** The longest time in which a connection is made, or fails. */
    Duration longestConnect();

    /** Runs a task after a pause, on a thread where nothing of the user's runs. */
    default void later(Duration pause, Runnable task) {
        DelayedTasks.after(pause).execute(task);
    }

    /** The failure of the first attempt as {@link RedisConnection#subscribe} throws it. */
    RuntimeException failure(Throwable thrown);

    /** A connection that can listen. Thread-safe. */
    interface Connection {
        /** Sets its listeners, before it subscribes. Both may be called by any thread, the second more than once. */
        void listen(Consumer<String> onMessage, Runnable onEnd);

        /** Subscribes, or requests another confirmation of that. */
        CompletableFuture<Void> subscribe();

        boolean isOpen();

        void close();
    }
}
