package io.hasp.engine.threads;

import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a client after an error in its own code or an {@link Error} of its backend, since no later answer of such a client can be trusted. The
 * first error counts. From then on every lease is LOST; the rest of the ending runs on a thread of its own. Thread-safe.
 *
 * <p>{@link #fail} is never called under a lock.
 */
public final class FailStop {
    private final String clientId;
    private final boolean onTheSpot;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Queue<Runnable> left = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Throwable cause;
    private @Nullable Runnable ending;

    /**
     * Of one client.
     *
     * @param onTheSpot the ending runs on the thread that fails, because the program decides every step of the client
     */
    FailStop(String clientId, boolean onTheSpot) {
        this.clientId = clientId;
        this.onTheSpot = onTheSpot;
    }

    public boolean failed() {
        return cause != null;
    }

    /** Null unless the client has failed. */
    @Nullable
    public Throwable cause() {
        return cause;
    }

    /** Sets the ending, once; runs it if the client has failed already. */
    public void endBy(Runnable last) {
        synchronized (this) {
            ending = last;
            if (cause == null) {
                return;
            }
        }
        start(last);
    }

    /** Ends the client. Never throws. */
    public void fail(Throwable broken) {
        Runnable last;
        synchronized (this) {
            if (cause != null) {
                return;
            }
            cause = broken;
            last = ending;
        }
        LogQueue.log(
                System.Logger.Level.ERROR, "the lock client failed: it is closed, and all its leases are lost", broken);
        if (last != null) {
            start(last);
        }
    }

    /** The same; the ending runs a task that no thread could be had for. */
    public void fail(Throwable broken, Runnable task) {
        left.add(task);
        fail(broken);
        if (ended.getCount() == 0) {
            runLeft();
        }
    }

    /** Runs a task of the client's own: an {@link Error} ends the client, an exception of a backend's task is logged. */
    void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LosslessExecutor.log(e);
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void start(Runnable last) {
        Runnable task = () -> {
            try {
                last.run();
            } finally {
                ended.countDown();
                runLeft();
            }
        };
        try {
            if (!onTheSpot) {
                ClientThreads.daemon(task, "hasp-failed-" + clientId).start();
                return;
            }
        } catch (Throwable noThread) {
            // The present thread has to do.
        }
        LosslessExecutor.contained(task);
    }

    private void runLeft() {
        for (Runnable task = left.poll(); task != null; task = left.poll()) {
            LosslessExecutor.contained(task);
        }
    }

    /** Waits for the end of the ending. An interrupt ends the wait, and is kept. */
    public void awaitEnd(long nanos) {
        try {
            if (!ended.await(nanos, TimeUnit.NANOSECONDS)) {
                LogQueue.log(System.Logger.Level.WARNING, "the backend of the failed lock client is not closed yet");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
