package io.hasp.redis.redisson;

import io.hasp.redis.server.DelayedTasks;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The socket that all calls of one kind share: made when it is needed, and another one when it is of no use any more. Thread-safe. */
final class RedissonSockets {
    private final Supplier<CompletableFuture<RedissonSocket>> connector;
    private final Duration timeout;
    /** Guarded by this. */
    private @Nullable CompletableFuture<RedissonSocket> current;

    private boolean closed;

    /**
     * None yet.
     *
     * @param connector its stages complete within the timeout
     */
    RedissonSockets(Supplier<CompletableFuture<RedissonSocket>> connector, Duration timeout) {
        this.connector = connector;
        this.timeout = timeout;
    }

    /** One that is open as far as is known, or is being connected. */
    synchronized CompletableFuture<RedissonSocket> get() {
        CompletableFuture<RedissonSocket> present = current;
        if (present != null && isOfUse(present)) {
            return present;
        }
        CompletableFuture<RedissonSocket> next = new CompletableFuture<>();
        if (closed) {
            next.completeExceptionally(new SocketException("closed"));
            return next;
        }
        current = next;
        try {
            connector.get().whenComplete((socket, failure) -> {
                if (socket == null) {
                    next.completeExceptionally(failure);
                } else if (!next.complete(socket)) {
                    socket.close();
                }
            });
        } catch (RuntimeException | Error e) {
            next.completeExceptionally(e);
        }
        // A limit for answers that an error of the JVM has lost.
        return next.orTimeout(timeout.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
    }

    private static boolean isOfUse(CompletableFuture<RedissonSocket> one) {
        return !one.isDone() || (!one.isCompletedExceptionally() && one.join().isOpen());
    }

    /** The next call takes another one than this. True if this was the current one. */
    boolean leave(RedissonSocket socket) {
        synchronized (this) {
            CompletableFuture<RedissonSocket> present = current;
            if (present == null
                    || !present.isDone()
                    || present.isCompletedExceptionally()
                    || present.join() != socket) {
                return false;
            }
            current = null;
        }
        closeLater(socket);
        return true;
    }

    /** The next call takes another one, to where the address leads by then. */
    void leave() {
        take().thenAccept(this::closeLater);
    }

    /** Closes the sockets, and fails all calls that wait for the former server. */
    void cut(RuntimeException why) {
        CompletableFuture<RedissonSocket> former = take();
        if (!former.completeExceptionally(why)) {
            former.thenAccept(RedissonSocket::close);
        }
    }

    void close(RuntimeException why) {
        synchronized (this) {
            closed = true;
        }
        cut(why);
    }

    private synchronized CompletableFuture<RedissonSocket> take() {
        CompletableFuture<RedissonSocket> former = current;
        current = null;
        return former == null ? new CompletableFuture<>() : former;
    }

    /** Replies that are still to come may come. */
    private void closeLater(RedissonSocket socket) {
        DelayedTasks.after(timeout).execute(socket::close);
    }
}
