package io.hasp;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lock of a client. Immutable. Its class says what; what happened to a lease is an {@link OfLease} and
 * carries the lease's token.
 *
 * <p>Nobody else can make a kind of event. Still this is not a sealed type, and the kinds are no records: later versions may tell
 * of more, and more of each, and a listener that was written before goes on compiling and working.
 */
public abstract class LockEvent {
    private final String lock;

    private LockEvent(String lock) {
        this.lock = lock;
    }

    /**
     * Of which lock.
     *
     * @return the lock's name
     */
    public final String lock() {
        return lock;
    }

    /** Names the event, the lock and all that the event says, for logs. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + lock + details() + "]";
    }

    String details() {
        return "";
    }

    /** Something that happened to a lease. */
    public abstract static class OfLease extends LockEvent {
        private final long fencingToken;

        private OfLease(String lock, long fencingToken) {
            super(lock);
            this.fencingToken = fencingToken;
        }

        /**
         * Of which lease.
         *
         * @return the lease's fencing token
         */
        public final long fencingToken() {
            return fencingToken;
        }

        @Override
        String details() {
            return ", " + LockEvents.token(fencingToken);
        }
    }

    /** A lease began. */
    public static final class Acquired extends OfLease {
        private final Duration waited;

        Acquired(String lock, long fencingToken, Duration waited) {
            super(lock, fencingToken);
            this.waited = waited;
        }

        /**
         * How long it took, from the call on.
         *
         * @return the time
         */
        public Duration waited() {
            return waited;
        }

        @Override
        String details() {
            return super.details() + ", waited " + waited;
        }
    }

    /** A wait ended without the lock because others held it. */
    public static final class Contended extends LockEvent {
        private final Duration waited;

        Contended(String lock, Duration waited) {
            super(lock);
            this.waited = waited;
        }

        /**
         * For how long.
         *
         * @return the time
         */
        public Duration waited() {
            return waited;
        }

        @Override
        String details() {
            return super.details() + ", waited " + waited;
        }
    }

    /**
     * A caller waits for a lock, because others have it or the service fails; {@link WaitEnded} follows. Not told of a lock that is had
     * with the first request.
     */
    public static final class Waiting extends LockEvent {
        Waiting(String lock) {
            super(lock);
        }
    }

    /**
     * A caller that was {@link Waiting} does so no longer. {@link Acquired}, {@link Contended} or {@link Unavailable} follows; nothing if
     * it was interrupted or cancelled, or its client closed.
     */
    public static final class WaitEnded extends LockEvent {
        WaitEnded(String lock) {
            super(lock);
        }
    }

    /** An acquisition failed: the service did not answer, or refused to serve it. */
    public static final class Unavailable extends LockEvent {
        private final Duration waited;
        private final String reason;

        Unavailable(String lock, Duration waited, String reason) {
            super(lock);
            this.waited = waited;
            this.reason = reason;
        }

        /**
         * How long it took, from the call on.
         *
         * @return the time
         */
        public Duration waited() {
            return waited;
        }

        /**
         * Why.
         *
         * @return in words
         */
        public String reason() {
            return reason;
        }

        @Override
        String details() {
            return super.details() + ", waited " + waited + ", reason " + reason;
        }
    }

    /**
     * A lease began by hand-off within this client, or on a lock that was {@link Kept}, without a round trip; {@link Acquired} follows.
     */
    public static final class HandedOff extends OfLease {
        HandedOff(String lock, long fencingToken) {
            super(lock, fencingToken);
        }
    }

    /** The server confirmed a lease: a renewal, or an extension by its holder. */
    public static final class Renewed extends OfLease {
        private final Duration remaining;
        private final Duration delay;

        Renewed(String lock, long fencingToken, Duration remaining, Duration delay) {
            super(lock, fencingToken);
            this.remaining = remaining;
            this.delay = delay;
        }

        /**
         * How long after it was due the renewal was confirmed: the timer's delay, renewals that failed, and the round trip. A lease is
         * due for renewal when a third of it is over.
         *
         * @return the time; zero if the renewal was early, to travel with others, and for an extension
         */
        public Duration delay() {
            return delay;
        }

        /**
         * How long it is good for now.
         *
         * @return the time
         */
        public Duration remaining() {
            return remaining;
        }

        @Override
        String details() {
            return super.details() + ", remaining " + remaining + (delay.isZero() ? "" : ", delay " + delay);
        }
    }

    /** A lease can't be confirmed at present. */
    public static final class Suspect extends OfLease {
        private final Duration remaining;

        Suspect(String lock, long fencingToken, Duration remaining) {
            super(lock, fencingToken);
            this.remaining = remaining;
        }

        /**
         * How long it is good for without a confirmation.
         *
         * @return the time
         */
        public Duration remaining() {
            return remaining;
        }

        @Override
        String details() {
            return super.details() + ", remaining " + remaining;
        }
    }

    /** A lease was lost. */
    public static final class Lost extends OfLease {
        private final String reason;
        private final @Nullable Duration held;

        Lost(String lock, long fencingToken, String reason, @Nullable Duration held) {
            super(lock, fencingToken);
            this.reason = reason;
            this.held = held;
        }

        /**
         * For how long it was held.
         *
         * @return empty if its holder had released it before ({@link Released} was told), and the release found the lock gone
         */
        public Optional<Duration> held() {
            return Optional.ofNullable(held);
        }

        /**
         * Why.
         *
         * @return in words
         */
        public String reason() {
            return reason;
        }

        @Override
        String details() {
            return super.details() + ", reason " + reason;
        }
    }

    /** A lease ended by release. */
    public static final class Released extends OfLease {
        private final Duration held;

        Released(String lock, long fencingToken, Duration held) {
            super(lock, fencingToken);
            this.held = held;
        }

        /**
         * For how long it was held.
         *
         * @return the time
         */
        public Duration held() {
            return held;
        }

        @Override
        String details() {
            return super.details() + ", held " + held;
        }
    }

    /**
     * A lock stays with this client after its lease, without a use, because {@link ClientOptions#keep} is set; {@link Released} came
     * before. If it is used again, {@link HandedOff} follows.
     */
    public static final class Kept extends OfLease {
        private final Duration atMost;

        Kept(String lock, long fencingToken, Duration atMost) {
            super(lock, fencingToken);
            this.atMost = atMost;
        }

        /**
         * For how long, unless it is used or wanted before.
         *
         * @return the time
         */
        public Duration atMost() {
            return atMost;
        }

        @Override
        String details() {
            return super.details() + ", at most " + atMost;
        }
    }

    /** Another client wants a lock that is kept, or would be kept after the present lease: it is given back now, or at its release. */
    public static final class Recalled extends OfLease {
        private final boolean inUse;

        Recalled(String lock, long fencingToken, boolean inUse) {
            super(lock, fencingToken);
            this.inUse = inUse;
        }

        /**
         * Whether the lease is held at present.
         *
         * @return false if the lock was only kept after that lease
         */
        public boolean inUse() {
            return inUse;
        }

        @Override
        String details() {
            return super.details() + (inUse ? ", in use" : ", not in use");
        }
    }

    /** An acquisition failed, and something of it may be on the server for a while; it is withdrawn in the background. */
    public static final class OutcomeUnknown extends LockEvent {
        OutcomeUnknown(String lock) {
            super(lock);
        }
    }

    /**
     * A thread ended without unlocking what it had locked through {@link DistributedLock#asReentrantLock}: nobody can unlock it any more.
     * It stays locked until its max hold or, without one, for as long as this client lives. Told once, about a third of a lease
     * after the thread's end at the latest.
     */
    public static final class Abandoned extends OfLease {
        private final String thread;

        Abandoned(String lock, long fencingToken, String thread) {
            super(lock, fencingToken);
            this.thread = thread;
        }

        /**
         * Which thread.
         *
         * @return its name
         */
        public String thread() {
            return thread;
        }

        @Override
        String details() {
            return super.details() + ", thread " + thread;
        }
    }
}
