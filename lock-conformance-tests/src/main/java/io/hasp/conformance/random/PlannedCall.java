package io.hasp.conformance.random;

import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * One call of one thread, with all that its plan decides about it. Immutable.
 *
 * @param call which call
 * @param lock of which lock, as an index
 * @param mode how the lock is asked for, and what becomes of that
 * @param pause how long the thread rests before
 * @param together whether it then waits for the next beat, at which the others begin such calls as well
 * @param patience how long a timed call waits; for an asynchronous one, how long the caller does
 * @param hold how long the lock is held
 * @param leaseKind how it is held
 * @param lease the fixed lease or the longest hold, where the kind has one
 * @param extend whether the lease is extended while it is held
 * @param ending how it is given back
 * @param again how often a thread enters its lock again; for work under the lock, whether it fails
 * @param interrupt when the thread is interrupted, counted from the beginning of the call; may fall behind its end
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

    /** How a lock is held. */
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

    /** How a lease is given back. */
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

    /** Whether the lease may end by itself while it is held. */
    boolean mayEnd() {
        return leaseKind == LeaseKind.SHORT || leaseKind == LeaseKind.CAPPED;
    }

    /** For how long a lease of this call is good at least, once it was asked for: clocks may differ a little. */
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
