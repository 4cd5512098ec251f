package io.hasp.engine.threads;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes a pool use an idle thread before it starts another one, and queue tasks only when it has no more threads to start. A
 * {@link ThreadPoolExecutor} with an ordinary queue starts a thread for each task until it has all of them.
 *
 * <p>A task is queued only if an idle thread is left for it. A busy thread may take it first, which saves waking the idle one; that is
 * left for the next task then. An idle thread that is not left over does not end.
 *
 * <p>A pool that has all its threads queues a task although one of them is just ending. That task waits for another thread.
 */
public final class IdleFirstQueue extends LinkedBlockingQueue<Runnable> {
    private static final long serialVersionUID = 1L;
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** Threads that wait for a task, less the tasks that are here or about to be. */
    private final AtomicInteger spare = new AtomicInteger();

    private IdleFirstQueue() {}

    /** A pool whose threads end when idle. */
    static ThreadPoolExecutor pool(int most, ThreadFactory threads) {
        return pool(most, threads, IDLE);
    }

    static ThreadPoolExecutor pool(int most, ThreadFactory threads, Duration idle) {
        IdleFirstQueue queue = new IdleFirstQueue();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1,
                most,
                idle.toNanos(),
                TimeUnit.NANOSECONDS,
                queue,
                threads,
                (task, full) -> queue.append(task, full));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** False if no idle thread is left for it: then the pool starts one. */
    @Override
    public boolean offer(Runnable task) {
        if (!takesSpare()) {
            return false;
        }
        queue(task);
        return true;
    }

    private boolean takesSpare() {
        for (int present = spare.get(); present > 0; present = spare.get()) {
            if (spare.compareAndSet(present, present - 1)) {
                return true;
            }
        }
        return false;
    }

    private void queue(Runnable counted) {
        super.offer(counted);
    }

    /** Null, after the time, only for a thread that is left over: any other one gets a task. */
    @Override
    public @Nullable Runnable poll(long time, TimeUnit unit) throws InterruptedException {
        spare.incrementAndGet();
        boolean interrupted = true;
        try {
            Runnable task = super.poll(time, unit);
            while (task == null && !takesSpare()) {
                task = super.poll(1, TimeUnit.MILLISECONDS);
            }
            interrupted = false;
            return task;
        } finally {
            if (interrupted) {
                spare.decrementAndGet();
            }
        }
    }

    private void append(Runnable task, ThreadPoolExecutor pool) {
        if (!pool.isShutdown()) {
            spare.decrementAndGet();
            queue(task);
            if (!pool.isShutdown()) {
                startIfAllEnded(pool);
                return;
            }
            if (!remove(task)) {
                return;
            }
        }
        throw new RejectedExecutionException("the pool is shut down");
    }

    @Override
    public boolean remove(@Nullable Object task) {
        boolean removed = super.remove(task);
        if (removed) {
            spare.incrementAndGet();
        }
        return removed;
    }

    private static void startIfAllEnded(ThreadPoolExecutor pool) {
        if (pool.getPoolSize() == 0) {
            pool.prestartCoreThread();
        }
    }
}
