package io.hasp;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that a client starts itself: daemons, named after it, gone when idle. */
final class EngineThreads {
    /** Each step on them is bounded by a command timeout, so a bound only delays and can't deadlock. */
    private static final int MOST = 32;

    private EngineThreads() {}

    static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    static ThreadPoolExecutor pool(String clientId) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                MOST, MOST, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named("hasp-" + clientId));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
