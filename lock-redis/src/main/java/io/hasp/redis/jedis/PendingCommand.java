package io.hasp.redis.jedis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.CommandArguments;

/** A command that a sender has given to {@link CombiningPool}, and its reply. */
final class PendingCommand {
    final CommandArguments command;
    /** {@code ASKING} goes before it. */
    final boolean asking;

    final CompletableFuture<String> reply = new CompletableFuture<>();
    /** On {@link System#nanoTime}. */
    final long queuedAt = System.nanoTime();
    /** By then its sender has a reply or a failure, even if other commands on the same socket take longer. */
    final long deadline;
    /** True once no thread works on it any more: if there is no reply by then, there will be none. */
    volatile boolean abandoned;
    /** True if its sender may wait for another server: another thread has to send it and those behind it. */
    volatile boolean senderElsewhere;

    private final Thread sender = Thread.currentThread();
    private final AtomicBoolean taken = new AtomicBoolean();

    PendingCommand(CommandArguments command, boolean asking, long timeoutNanos) {
        this.command = command;
        this.asking = asking;
        this.deadline = queuedAt + timeoutNanos;
    }

    /** True for exactly one caller: the one that sends it now, or the one that makes sure that it is never sent. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    /** True if the command was sent, or will never be sent. */
    boolean taken() {
        return taken.get();
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
