package io.hasp.redis.lettuce;

import java.net.SocketException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fails commands that are not answered in time, by a timer of the JVM. Lettuce's own stops when the application shuts its client down,
 * and leaves commands that never complete. All have the same timeout, so they are due in the order in which they came, and one
 * timer at a time is enough. Thread-safe.
 */
final class CommandTimeouts {
    private final long timeoutNanos;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean armed = new AtomicBoolean();

    CommandTimeouts(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
    }

    /** Not a record: only itself is equal to it. */
    private static final class Waiting {
        private final CompletableFuture<?> command;
        private final long due;

        Waiting(CompletableFuture<?> command, long due) {
            this.command = command;
            this.due = due;
        }
    }

    /** Watches a command that was sent just now, until it was answered. */
    void watch(CompletableFuture<?> command) {
        waiting.add(new Waiting(command, System.nanoTime() + timeoutNanos));
        arm(timeoutNanos);
    }

    /** To be called when one was answered. */
    void forgetAnswered() {
        Waiting first = waiting.peek();
        while (first != null && first.command.isDone()) {
            waiting.remove(first);
            first = waiting.peek();
        }
    }

    private void arm(long nanos) {
        if (armed.get() || !armed.compareAndSet(false, true)) {
            return;
        }
        boolean begun = false;
        try {
            Executor timer = CompletableFuture.delayedExecutor(Math.max(nanos, 0), TimeUnit.NANOSECONDS, Runnable::run);
            timer.execute(this::failThoseDue);
            begun = true;
        } finally {
            if (!begun) {
                armed.set(false);
            }
        }
    }

    private void failThoseDue() {
        try {
            Waiting first = waiting.peek();
            while (first != null && (first.command.isDone() || first.due - System.nanoTime() <= 0)) {
                first.command.completeExceptionally(new TimeoutException());
                waiting.remove(first);
                first = waiting.peek();
            }
        } finally {
            armed.set(false);
            armForNext();
        }
    }

    /** Nothing may wait without a timer: if there is no memory for one, it fails now. */
    private void armForNext() {
        Waiting next = waiting.peek();
        if (next != null) {
            try {
                arm(next.due - System.nanoTime());
            } catch (Error e) {
                failAll(new TimeoutException());
            }
        }
    }

    /** The connections are closed, so no more replies will come. */
    void failAll() {
        failAll(new SocketException("closed"));
    }

    private void failAll(Exception why) {
        for (Waiting one = waiting.poll(); one != null; one = waiting.poll()) {
            one.command.completeExceptionally(why);
        }
    }
}
