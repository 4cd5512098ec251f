package io.hasp.redis.server;

import io.hasp.spi.ClientThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a time, on threads where nothing of the user's runs. The common pool, which {@link CompletableFuture} takes otherwise, may
 * be full of work that waits for a lock.
 */
public final class DelayedTasks {
    private static final Executor THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            ClientThreads.named("hasp-redis-delayed"));

    private DelayedTasks() {}

    /** An executor whose tasks begin so much later. */
    public static Executor after(Duration delay) {
        return CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, THREADS);
    }
}
