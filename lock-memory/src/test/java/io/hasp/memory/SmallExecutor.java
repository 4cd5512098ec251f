package io.hasp.memory;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** An executor of a program: two threads and a queue of four tasks. It rejects what does not fit, and one task in ten at random. */
final class SmallExecutor implements Executor, AutoCloseable {
    private static final int REJECTS_ONE_IN = 10;

    final LongAdder rejected = new LongAdder();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(2, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4));

    @Override
    public void execute(Runnable task) {
        try {
            if (ThreadLocalRandom.current().nextInt(REJECTS_ONE_IN) == 0) {
                throw new RejectedExecutionException("by chance");
            }
            threads.execute(task);
        } catch (RejectedExecutionException refusal) {
            rejected.increment();
            throw refusal;
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
