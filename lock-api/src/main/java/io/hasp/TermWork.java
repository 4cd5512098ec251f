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
     * @param whenEnded receives the exception of the work, or null, on the work's thread
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
        whenEnded.accept(failure);
    }

    private synchronized boolean begins() {
        thread = Thread.currentThread();
        return !stopped;
    }

    private synchronized void ends() {
        thread = null;
        Thread.interrupted();
    }

    /** Interrupts the work, except on its own thread; work that has not begun does not begin. */
    synchronized void stop() {
        stopped = true;
        Thread working = thread;
        if (working != null && working != Thread.currentThread()) {
            working.interrupt();
        }
    }

    synchronized boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }
}
