package io.hasp;

import io.hasp.spi.ClientThreads;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of one term, on a thread of its own. Interrupted by the lease when that is lost, and by {@link #stop} when the candidate resigns.
 * Thread-safe.
 */
final class TermWork {
    private final Term term;
    private final TermAction action;
    private final Consumer<@Nullable Throwable> whenEnded;
    private @Nullable Thread thread;
    private boolean stopped;

    /**
     * Creates the work.
     *
     * @param whenEnded receives the exception of the work, or null, on the work's thread; null after {@link #stop}
     */
    TermWork(Term term, TermAction action, Consumer<@Nullable Throwable> whenEnded) {
        this.term = term;
        this.action = action;
        this.whenEnded = whenEnded;
    }

    void start(String name) {
        try {
            ClientThreads.daemon(this::run, name).start();
        } catch (OutOfMemoryError noThread) {
            whenEnded.accept(noThread);
        }
    }

    private void run() {
        Throwable failure = null;
        try {
            if (begins()) {
                // So that a close of the client by the work does not wait for the work.
                term.lease().takenOver();
                term.lease().run(lease -> action.run(term));
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            ends();
        }
        whenEnded.accept(wasStopped() ? null : failure);
    }

    private synchronized boolean begins() {
        thread = Thread.currentThread();
        return !stopped;
    }

    private synchronized void ends() {
        thread = null;
        Thread.interrupted();
    }

    private synchronized boolean wasStopped() {
        return stopped;
    }

    /** Interrupts the work, once; work that has not begun does not begin. Without effect on its own thread. */
    synchronized void stop() {
        Thread working = thread;
        if (stopped || working == Thread.currentThread()) {
            return;
        }
        stopped = true;
        if (working != null) {
            working.interrupt();
        }
    }

    synchronized boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }
}
