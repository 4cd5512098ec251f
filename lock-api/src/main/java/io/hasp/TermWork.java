package io.hasp;

import io.hasp.engine.threads.EngineThreads;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of one term, on a thread of its own. Interrupted by the lease when that is lost, and by {@link #stop} when the candidate resigns.
 * Thread-safe.
 */
final class TermWork implements Runnable {
    /** The thread of the work. */
    interface Worker {
        boolean isPresent();

        void interrupt();
    }

    private final Term term;
    private final TermAction action;
    private final Consumer<@Nullable Throwable> whenEnded;
    private @Nullable Worker worker;
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

    Term term() {
        return term;
    }

    TermAction action() {
        return action;
    }

    void start(EngineThreads threads) {
        try {
            threads.startWork("hasp-leader-" + term.name(), this);
        } catch (OutOfMemoryError noThread) {
            whenEnded.accept(noThread);
        }
    }

    @Override
    public void run() {
        Throwable failure = null;
        try {
            if (begins(new OwnThread(Thread.currentThread()))) {
                // So that a close of the client by the work does not wait for the work.
                term.lease().takenOver();
                term.lease().run(lease -> action.run(term));
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            ends();
            Thread.interrupted();
        }
        ended(failure);
    }

    private record OwnThread(Thread thread) implements Worker {
        @Override
        public boolean isPresent() {
            return thread == Thread.currentThread();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }
    }

    /** False if the candidate has resigned before. */
    synchronized boolean begins(Worker by) {
        worker = by;
        return !stopped;
    }

    /** No interrupt comes any more. */
    synchronized void ends() {
        worker = null;
    }

    void ended(@Nullable Throwable failure) {
        whenEnded.accept(wasStopped() ? null : failure);
    }

    private synchronized boolean wasStopped() {
        return stopped;
    }

    /** Interrupts the work, once; work that has not begun does not begin. Without effect on its own thread. */
    synchronized void stop() {
        Worker working = worker;
        if (stopped || (working != null && working.isPresent())) {
            return;
        }
        stopped = true;
        if (working != null) {
            working.interrupt();
        }
    }

    synchronized boolean isOnThisThread() {
        return worker != null && worker.isPresent();
    }
}
