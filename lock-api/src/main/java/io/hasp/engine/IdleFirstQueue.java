package io.hasp.engine;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes a pool use an idle thread before it starts another one, and queue tasks only when it has no more threads to start. A
 * {@link ThreadPoolExecutor} with an ordinary queue starts a thread for each task until it has all of them.
 */
final class IdleFirstQueue extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1L;
    private static final long IDLE_SECONDS = 10;

    private IdleFirstQueue() {}

    /** A pool whose threads end when idle. */
    static ThreadPoolExecutor pool(int most, ThreadFactory threads) {
        IdleFirstQueue queue = new IdleFirstQueue();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, threads, (task, full) -> queue.append(task, full));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** False if no thread waits for a task: then the pool starts one. */
    @Override
    public boolean offer(Runnable task) {
        return tryTransfer(task);
    }

    private void append(Runnable task, ThreadPoolExecutor pool) {
        if (!pool.isShutdown()) {
            put(task);
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

    private static void startIfAllEnded(ThreadPoolExecutor pool) {
        if (pool.getPoolSize() == 0) {
            pool.prestartCoreThread();
        }
    }
}
