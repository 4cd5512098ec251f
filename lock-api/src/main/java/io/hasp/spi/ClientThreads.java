package io.hasp.spi;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the threads of a lock client: daemons of normal priority that inherit no thread-local from the thread that needs them first. A
 * client serves all callers of a process, so a thread-local, a context class loader or a priority of one caller must not reach the work of
 * another. Thread-safe.
 *
 * <p>The context class loader is that of this library. It lives as long as the client anyway, and it sees the application in a flat class
 * path, a fat jar and a web application. A null loader and the system's loader do not see a fat jar or a web application.
 */
public final class ClientThreads {
    private ClientThreads() {}

    /**
     * Creates a factory of threads with a number after their name.
     *
     * @param prefix the name before the number
     * @return a new factory
     */
    public static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> daemon(task, prefix + "-" + count.incrementAndGet());
    }

    /**
     * Creates one thread.
     *
     * @param task runs on it
     * @param name its name
     * @return a thread that is not started
     */
    @SuppressWarnings("ThreadPriorityCheck") // Undoes the priority of the creating thread.
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(ClientThreads.class.getClassLoader());
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Wraps a factory, so that its threads inherit nothing either.
     *
     * @param others creates the threads, with any properties
     * @return a factory that calls the other one on a thread of its own
     */
    public static ThreadFactory inheritingNothing(ThreadFactory others) {
        return task -> {
            try {
                return callElsewhere(() -> others.newThread(task));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("the thread factory " + others + " failed", e);
            }
        };
    }

    /**
     * Makes a call on a new {@linkplain #daemon daemon}, and waits. Threads that the call creates inherit nothing of the caller: a client
     * library takes no factory for some of its threads. An interrupt is kept for later.
     *
     * @param call short, and needs nothing of the calling thread
     * @param <T> the type of its result
     * @return the result of the call
     * @throws Exception the exception of the call
     */
    public static <T> T callElsewhere(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        daemon(task, "hasp-starter").start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception failure ? failure : e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
