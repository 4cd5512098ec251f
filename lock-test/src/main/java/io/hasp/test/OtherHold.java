package io.hasp.test;

import io.hasp.Lease;
import io.hasp.ReleaseResult;

/** A lock that another client holds, so that it is busy for the client under test. Thread-safe. */
public final class OtherHold implements AutoCloseable {
    private final Lease lease;
    private final TestTime time;

    OtherHold(Lease lease, TestTime time) {
        this.lease = lease;
        this.time = time;
    }

    /**
     * Returns the name of the lock.
     *
     * @return the lock's name
     */
    public String name() {
        return lease.name();
    }

    /**
     * Returns the fencing token of the other client, for the tests of stores that refuse smaller ones.
     *
     * @return the other client's token
     */
    public long fencingToken() {
        return lease.fencingToken();
    }

    /** Releases the lock. The next waiter gets it. No effect if it was released before. */
    @Override
    public void close() {
        ReleaseResult unused = lease.release();
        time.settle();
    }

    /** Names the lock and the state of its lease. */
    @Override
    public String toString() {
        return "OtherHold[" + lease + "]";
    }
}
