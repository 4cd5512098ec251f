package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.util.ArrayList;
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
    private final List<Event> breaks;

    private Attempt(long died, List<Event> breaks) {
        this.died = died;
        this.breaks = breaks;
    }

    /** The events of one attempt, in order, when its process died, and when an operator broke its grant. */
    static Attempt of(List<Event> events, long died, List<Event> breaks) {
        Attempt attempt = new Attempt(died, breaks);
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

    /** The end of the client's belief: no later than it was seen, or allowed, to consider it held. */
    long believedEnd() {
        return Math.min(rawEnd(), Math.min(value(Kind.LOST, NEVER), value(Kind.DEADLINE, NEVER)));
    }

    /** The end of the definite hold: that of the belief, or a break of the grant, of which its client learns later. */
    long cutEnd() {
        return Math.min(believedEnd(), broken(Kind.BREAKING));
    }

    /** The first moment at which the grant may have been broken, or was broken for certain; never without an operator. */
    long broken(Kind kind) {
        return breaks.stream()
                .filter(event -> event.kind() == kind)
                .mapToLong(Event::at)
                .min()
                .orElse(NEVER);
    }

    /** The events of the attempt, and those of the operator about its grant. */
    List<Event> eventsAndBreaks() {
        List<Event> all = new ArrayList<>(events());
        all.addAll(breaks);
        return all;
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
