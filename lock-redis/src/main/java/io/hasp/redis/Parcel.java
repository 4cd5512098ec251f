package io.hasp.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.CommandArguments;

/** A command on its way through {@link Lanes}. */
final class Parcel {
    final CommandArguments command;
    final CompletableFuture<String> reply = new CompletableFuture<>();
    /** True as soon as nobody carries it any more: if there is no reply by then, there will be none. */
    volatile boolean over;

    private final Thread sender = Thread.currentThread();
    private final AtomicBoolean taken = new AtomicBoolean();

    Parcel(CommandArguments command) {
        this.command = command;
    }

    /** True for exactly one caller: the one that carries it, or its sender that withdraws it. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    void fail(RuntimeException why) {
        reply.completeExceptionally(why);
    }

    void wakeSender() {
        if (sender != Thread.currentThread()) {
            LockSupport.unpark(sender);
        }
    }
}
