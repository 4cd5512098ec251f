package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One acquisition, assembled from its events. The time of a missing event is {@link #NEVER}. */
final class Attempt {
    static final long NEVER = Long.MAX_VALUE;

    private final Map<Kind, Event> events = new EnumMap<>(Kind.class);
    private final long died;

    private Attempt(long died) {
        this.died = died;
    }

    /** The events of one attempt, in order, and when its process died. */
    static Attempt of(List<Event> events, long died) {
        Attempt attempt = new Attempt(died);
        for (Event event : events) {
            // The latest deadline counts; of all else there is one, and of repeated ones the first is what matters.
            attempt.events.merge(event.kind(), event, (first, next) -> next.kind() == Kind.DEADLINE ? next : first);
        }
        return attempt;
    }

    Collection<Event> events() {
        return events.values();
    }

    @Nullable
    Event event(Kind kind) {
        return events.get(kind);
    }

    long at(Kind kind) {
        Event event = events.get(kind);
        return event == null ? NEVER : event.at();
    }

    private long value(Kind kind, long otherwise) {
        Event event = events.get(kind);
        return event == null ? otherwise : event.value();
    }

    boolean granted() {
        return events.containsKey(Kind.GRANTED);
    }

    String client() {
        return events.values().iterator().next().client();
    }

    LockMode mode() {
        return LockMode.of(value(Kind.ACQUIRE, 0));
    }

    long token() {
        return value(Kind.GRANTED, 0);
    }

    long asked() {
        return at(Kind.ACQUIRE);
    }

    long died() {
        return died;
    }

    /** Returns the moment at which the wait was over. */
    long answered() {
        return Math.min(Math.min(at(Kind.GRANTED), at(Kind.REFUSED)), Math.min(at(Kind.UNKNOWN), died));
    }

    long start() {
        return at(Kind.GRANTED);
    }

    /** The end of the definite hold, independently of the client's own view. */
    long rawEnd() {
        return Math.min(Math.min(at(Kind.RELEASE), at(Kind.LOST)), died);
    }

    /** The end of the definite hold: no later than the client was seen, or allowed, to consider it held. */
    long cutEnd() {
        return Math.min(rawEnd(), Math.min(value(Kind.LOST, NEVER), value(Kind.DEADLINE, NEVER)));
    }

    /** The first moment at which the server may have freed it by itself; never, if there was no reason. */
    long mayExpire() {
        return Math.min(
                Math.min(value(Kind.LOST, NEVER), value(Kind.DEADLINE, NEVER)), Math.min(died, at(Kind.UNKNOWN)));
    }

    /**
     * The latest moment at which the server may still have held the lock for it. A hold without a proper end may
     * linger.
     */
    long possibleEnd(long lingering) {
        long answered = Math.min(at(Kind.RELEASED), at(Kind.NOT_HELD));
        if (answered != NEVER) {
            return answered;
        }
        long left = Math.min(Math.min(at(Kind.RELEASE_UNKNOWN), at(Kind.UNKNOWN)), mayExpire());
        return left == NEVER ? NEVER : left + lingering;
    }
}
