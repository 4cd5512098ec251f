package io.hasp.engine;

import io.hasp.spi.ClientThreads;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/** Threads that don't keep a process alive, named after what they are for. */
final class DaemonThreads {
    private DaemonThreads() {}

    static ThreadFactory named(String prefix) {
        return ClientThreads.named(prefix);
    }

    /**
     * A thread of the pool that dies for want of memory is replaced as soon as there is some. The pool tries that once; after
     * that its tasks, the timers of a client for instance, would wait until another one is handed over.
     */
    static void replaceInTime(ThreadPoolExecutor pool) {
        ThreadFactory threads = pool.getThreadFactory();
        pool.setThreadFactory(worker -> threads.newThread(() -> {
            try {
                worker.run();
            } finally {
                replace(pool);
            }
        }));
    }

    private static void replace(ThreadPoolExecutor pool) {
        for (int tries = 0; ; tries++) {
            try {
                if (!pool.isShutdown()
                        && pool.getPoolSize() == 0
                        && !pool.getQueue().isEmpty()) {
                    pool.prestartCoreThread();
                }
                return;
            } catch (Throwable broken) {
                if (!Failures.mayPass(broken, tries)) {
                    throw broken;
                }
            }
        }
    }
}
