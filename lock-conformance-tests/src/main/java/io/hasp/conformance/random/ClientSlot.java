package io.hasp.conformance.random;

import io.hasp.LockClient;

/**
 * The current client of some threads. After a client is closed in the middle of the run, a new one takes its place.
 * Thread-safe.
 */
final class ClientSlot {
    private final RandomRun run;
    private final int index;
    private int generation;
    private Opened current;

    ClientSlot(RandomRun run, int index) {
        this.run = run;
        this.index = index;
        this.current = open();
    }

    /** One client from its opening to its close. */
    static final class Opened {
        final String name;
        final LockClient client;
        /** True if its leases are so short that a slow machine may lose them. */
        final boolean brief;

        private volatile boolean closing;

        private Opened(String name, LockClient client, boolean brief) {
            this.name = name;
            this.client = client;
            this.brief = brief;
        }

        /** Returns true once a thread has begun to close it. */
        boolean closing() {
            return closing;
        }
    }

    /** A new client, not yet in its place. */
    synchronized Opened open() {
        return new Opened("c" + index + "." + generation++, run.connect(index), run.plan.brief(index));
    }

    synchronized Opened current() {
        return current;
    }

    /** Gives a new client to all who come, and closes the old one under those who are there. */
    void replace(Opened next) {
        Opened old;
        synchronized (this) {
            old = current;
            current = next;
        }
        close(old);
    }

    /** Closes the present client. */
    void close() {
        close(current());
    }

    private void close(Opened old) {
        // From now on nothing that it was granted is a hold for certain.
        old.closing = true;
        run.log.died(old.name, System.nanoTime());
        old.client.closeNow();
    }
}
