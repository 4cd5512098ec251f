package io.hasp.spring.autoconfigure;

import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.Registration;
import io.hasp.Term;
import io.hasp.TermAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The candidate of an application context. A candidate that was closed can't join again, so a context that is stopped and started again gets
 * another one, to which its listeners move. Thread-safe.
 */
final class ContextElection implements LeaderElection {
    private final Supplier<LeaderElection> candidates;
    private final List<Listener> listeners = new ArrayList<>();
    private volatile LeaderElection present;
    private boolean stopped;
    /** By a call of {@link #close}, not by the end of the context. */
    private boolean closed;

    ContextElection(Supplier<LeaderElection> candidates) {
        this.candidates = candidates;
        this.present = candidates.get();
    }

    /** The context starts; false if the program closed the election. */
    synchronized boolean start() {
        if (stopped && !closed) {
            LeaderElection next = candidates.get();
            listeners.forEach(listener -> listener.moveTo(next));
            present = next;
        }
        stopped = false;
        return !closed;
    }

    /** The context stops. Waits as {@link LeaderElection#close} does. */
    void stop() {
        LeaderElection ends;
        synchronized (this) {
            stopped = true;
            ends = present;
        }
        ends.close();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        stop();
    }

    @Override
    public String name() {
        return present.name();
    }

    @Override
    public String label() {
        return present.label();
    }

    @Override
    public void run(TermAction work) {
        present.run(work);
    }

    @Override
    public void join() {
        present.join();
    }

    @Override
    public Optional<Term> await(Duration wait) throws InterruptedException {
        return present.await(wait);
    }

    @Override
    public Optional<Term> term() {
        return present.term();
    }

    @Override
    public boolean resign() {
        return present.resign();
    }

    @Override
    public synchronized Registration onChange(Executor executor, Consumer<LeaderChange> listener) {
        Listener registered = new Listener(executor, listener);
        registered.moveTo(present);
        listeners.add(registered);
        return registered;
    }

    private final class Listener implements Registration {
        private final Executor executor;
        private final Consumer<LeaderChange> consumer;
        private Registration registration = () -> {};

        private Listener(Executor executor, Consumer<LeaderChange> consumer) {
            this.executor = executor;
            this.consumer = consumer;
        }

        /** The former candidate may still tell of the end of its term. */
        private void moveTo(LeaderElection next) {
            registration = next.onChange(executor, consumer);
        }

        @Override
        public void close() {
            synchronized (ContextElection.this) {
                listeners.remove(this);
                registration.close();
            }
        }
    }

    /** Names the present candidate, for logs. */
    @Override
    public String toString() {
        return present.toString();
    }
}
