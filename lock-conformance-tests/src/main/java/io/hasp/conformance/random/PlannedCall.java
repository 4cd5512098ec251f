package io.hasp.conformance.random;

import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * One call of one thread, with all decisions of its plan. Immutable.
 *
 * @param call the called method
 * @param lock the lock's index
 * @param mode the requested mode, and its changes during the hold
 * @param pause the thread's pause before the call
 * @param together true to then wait for the next beat, at which other threads begin such calls as well
 * @param patience the wait of a timed call; for an asynchronous call, the wait of the caller
 * @param hold the time of the hold
 * @param leaseKind the kind of lease
 * @param lease the fixed lease or the longest hold, if the kind has one
 * @param extend true to extend the lease during the hold
 * @param ending the way of the release
 * @param again the number of re-entries; for work under the lock, a failure of the work
 * @param interrupt the time of the interrupt, from the beginning of the call; may be after its end
 */
record PlannedCall(
        Call call,
        int lock,
        CallMode mode,
        Duration pause,
        boolean together,
        Duration patience,
        Duration hold,
        LeaseKind leaseKind,
        Duration lease,
        boolean extend,
        Ending ending,
        int again,
        Optional<Duration> interrupt) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Duration CLOCKS = Duration.ofMillis(3);

    /** The calls, and how often each is drawn. */
    enum Call {
        TRY("tryAcquire()", 5),
        TRY_FOR("tryAcquire(wait)", 4),
        ACQUIRE("acquire()", 6),
        ACQUIRE_ASYNC("acquireAsync()", 2),
        ACQUIRE_OR_CANCEL("acquireAsync(), cancelled after the wait", 2),
        ACQUIRE_OR_TIMEOUT("acquireAsync().orTimeout(wait)", 1),
        TRY_ASYNC("tryAcquireAsync(wait)", 2),
        LOCK("asReentrantLock().lock()", 2),
        LOCK_INTERRUPTIBLY("asReentrantLock().lockInterruptibly()", 2),
        TRY_LOCK("asReentrantLock().tryLock()", 2),
        TRY_LOCK_FOR("asReentrantLock().tryLock(wait)", 2),
        CALL("call(work)", 2),
        TRY_CALL("tryCall(wait, work)", 2),
        CLOSE("close(), and a new client", 1);

        final String words;
        final int weight;

        Call(String words, int weight) {
            this.words = words;
            this.weight = weight;
        }
    }

    /** The kinds of leases. */
    enum LeaseKind {
        /** Renewed until it is given back. */
        RENEWED(10),
        /** For a fixed time that is longer than everything. */
        LONG(2),
        /** For a fixed time that may end before the hold. */
        SHORT(2),
        /** Renewed, but not for longer than a time that may end before the hold. */
        CAPPED(1);

        final int weight;

        LeaseKind(int weight) {
            this.weight = weight;
        }
    }

    /** The ways to release a lease. */
    enum Ending {
        RELEASE(4),
        RELEASE_TWICE(1),
        RELEASE_ASYNC(2),
        RELEASE_ASYNC_AND_WAIT(1),
        CLOSE(1);

        final int weight;

        Ending(int weight) {
            this.weight = weight;
        }
    }

    LockOptions options() {
        return switch (leaseKind) {
            case RENEWED -> LockOptions.defaults();
            case LONG, SHORT -> LockOptions.defaults().fixedLease(lease);
            case CAPPED -> LockOptions.defaults().maxHold(lease);
        };
    }

    /** Returns true if the lease may end by itself during the hold. */
    boolean mayEnd() {
        return leaseKind == LeaseKind.SHORT || leaseKind == LeaseKind.CAPPED;
    }

    /** The least time for which a lease of this call is valid after the request: clocks may differ slightly. */
    Duration least() {
        return lease.multipliedBy(9).dividedBy(10).minus(CLOCKS);
    }

    /** In words, for the log. */
    String words() {
        if (call == Call.CLOSE) {
            return call.words;
        }
        String text = call.words.replace("wait", millis(patience)) + " of lock " + lock + mode.words();
        if (leaseKind != LeaseKind.RENEWED) {
            text += (leaseKind == LeaseKind.CAPPED ? ", max hold " : ", lease ") + millis(lease);
        }
        if (extend) {
            text += ", extended";
        }
        if (again > 0) {
            text += call == Call.CALL || call == Call.TRY_CALL ? ", work fails" : ", entered again × " + again;
        }
        text += ", hold " + millis(hold) + ", " + ending.name().toLowerCase(Locale.ROOT);
        return text
                + interrupt.map(after -> ", interrupt after " + millis(after)).orElse("");
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.3f ms", time.toNanos() / NANOS_PER_MILLI);
    }
}
