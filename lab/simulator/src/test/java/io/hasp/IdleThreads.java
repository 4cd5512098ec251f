package io.hasp;

import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Live threads that do nothing until they are interrupted. A reentrant lock takes them for its callers. */
final class IdleThreads {
    /** As many as a client has callers at most. */
    private static final Thread[] ALL =
            IntStream.range(0, 19).mapToObj(IdleThreads::started).toArray(Thread[]::new);

    private IdleThreads() {}

    static Thread get(int index) {
        return ALL[index];
    }

    private static Thread started(int index) {
        Thread thread = new Thread(IdleThreads::idle, "caller-" + index);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void idle() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }
}
