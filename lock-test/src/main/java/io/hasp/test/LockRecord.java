package io.hasp.test;

import java.time.Duration;
import java.util.Optional;

/**
 * Describes a request for a lock by the client under test, and its outcome until now. Immutable: {@link TestLocks#recorded} returns new
 * records each time.
 *
 * @param name the lock's name
 * @param kind the kind of the lock, and the part that was requested
 * @param permits the number of permits that were requested; 1 unless the lock is a semaphore
 * @param total the number of permits of the semaphore; 1 for any other lock
 * @param lease the lease that was requested from the service
 * @param renewed true for a renewed lease, false for a fixed one
 * @param waits true if the call was ready to wait, false for a single attempt. The first attempts for several locks never wait
 * @param label the client's label; empty if there is none
 * @param outcome the state of the request
 * @param fencingToken the token of the lease; 0 if the lock was not granted
 * @param thread the name of the thread that sent the request. A thread of the client sends it for an asynchronous call
 * @param place the call in the code under test; empty for an asynchronous call
 */
public record LockRecord(
        String name,
        Kind kind,
        int permits,
        int total,
        Duration lease,
        boolean renewed,
        boolean waits,
        String label,
        Outcome outcome,
        long fencingToken,
        String thread,
        Optional<StackTraceElement> place) {

    /** Classifies locks. */
    public enum Kind {
        /** A lock with one holder. */
        EXCLUSIVE,
        /** The shared part of a read-write lock. */
        READ,
        /** The exclusive part of a read-write lock. */
        WRITE,
        /** Permits of a semaphore. */
        PERMITS
    }

    /** Describes the state of a request. */
    public enum Outcome {
        /** Another holder has the lock, and the call waits. */
        WAITING,
        /** Another holder had the lock, and the call did not wait or gave up. */
        BUSY,
        /** The service did not answer, or refused. */
        FAILED,
        /** The lock is held. */
        HELD,
        /** The lock was released, or the service is being requested to release it. */
        RELEASED,
        /** The lease was lost, or has ended. */
        LOST
    }

    /**
     * Returns true if the lock was granted, whatever happened then.
     *
     * @return true if there was a lease
     */
    public boolean granted() {
        return fencingToken > 0;
    }

    /** Names the lock, its options, the caller and the outcome, for the messages of failed assertions. */
    @Override
    public String toString() {
        return "'" + name + "' (" + kindInWords() + ", " + (renewed ? "renewed" : "fixed") + " lease of " + lease
                + (waits ? ", waits" : "") + ") is " + outcome
                + (granted() ? ", token " + fencingToken : "")
                + ", requested by thread '" + thread + "'"
                + (label.isEmpty() ? "" : " of '" + label + "'")
                + place.map(call -> " at " + call).orElse(" in an asynchronous call");
    }

    private String kindInWords() {
        return switch (kind) {
            case EXCLUSIVE -> "exclusive";
            case READ -> "for reading";
            case WRITE -> "for writing";
            case PERMITS -> permits + " of " + total + " permits";
        };
    }
}
