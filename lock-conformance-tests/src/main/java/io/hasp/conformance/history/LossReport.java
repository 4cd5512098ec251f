package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The reason of each lost lease by the servers' record, one line each, for the reader of a long run. Stateless. */
public final class LossReport {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NEVER = Long.MAX_VALUE;

    private LossReport() {}

    /**
     * Returns a line for each lost lease. {@link Checks#noNeedlessLoss} judges the same losses.
     *
     * @param history the history
     * @param stored the leases stored by the servers
     * @param doubt how long the servers may keep a lease after its client considers it lost
     * @param claim how long a direct grant waits for its first renewal
     * @return lock, token, client, reason, the servers' record, and the faults since the grant
     */
    public static List<String> of(History history, StoredLeases stored, Duration doubt, Duration claim) {
        NeedlessLosses losses = new NeedlessLosses(stored, doubt.toNanos(), claim.toNanos());
        return history.locks().stream()
                .map(name -> LockHistory.of(history, name))
                .flatMap(lock -> losses.losses(lock).map(loss -> line(lock, loss, stored)))
                .toList();
    }

    private static String line(LockHistory lock, NeedlessLosses.Loss loss, StoredLeases stored) {
        long token = loss.grant().token();
        return line(
                lock.lock(),
                loss.grant().client(),
                token,
                loss.reason().words(),
                stored.lastSeen(lock.lock(), token, loss.lost().at()),
                faults(lock.events(), loss.grant().start(), loss.lost().at()));
    }

    /**
     * Returns the line of one loss.
     *
     * @param lock the lock's name
     * @param client the client's name in the history
     * @param token the lease's fencing token
     * @param reason the reason in a few words
     * @param record the servers' record
     * @param faults as {@link #faults}
     * @return the line
     */
    public static String line(String lock, String client, long token, String reason, String record, String faults) {
        return "lost: " + lock + " of " + client + " with token " + token + ": " + reason
                + (record.isEmpty() ? "" : "; " + record) + "; " + faults;
    }

    /**
     * Describes the faults of the time of a lease, and the latest one before its loss. A fault without an end lasted longer
     * than the lease.
     *
     * @param events the events of a history, in order
     * @param granted the begin of the lease on {@link System#nanoTime}
     * @param lost when its client found it lost
     * @return the faults with their times before the loss
     */
    public static String faults(List<Event> events, long granted, long lost) {
        List<Span> spans = spans(events, lost);
        List<String> found = spans.stream()
                .filter(span -> span.to() >= granted)
                .map(span -> span.describe(lost))
                .toList();
        if (found.isEmpty()) {
            return "no fault since the grant"
                    + (spans.isEmpty()
                            ? ""
                            : ", the latest was: " + spans.get(spans.size() - 1).describe(lost));
        }
        return String.join(", ", found);
    }

    /** The faults that began before the loss; the times of those that lasted longer have no end. */
    private static List<Span> spans(List<Event> events, long lost) {
        List<Span> spans = new ArrayList<>();
        for (Event event : events) {
            if (event.at() > lost) {
                break;
            }
            boolean moment = event.note().equals(Event.LASTS) || event.note().equals(Event.ENDS);
            if (event.kind() == Kind.FAULT && !moment) {
                spans.add(
                        new Span(event.client(), event.at(), NEVER, event.note().equals(Event.BEGINS)));
            } else if (event.kind() == Kind.FAULT || event.kind() == Kind.HEALED) {
                spans.replaceAll(span -> span.endedBy(event) ? span.until(event.at()) : span);
            }
        }
        return spans;
    }

    /** The time of a fault, which is recorded as moments or as a whole. */
    private record Span(String name, long from, long to, boolean ofMoments) {

        boolean endedBy(Event event) {
            boolean end = ofMoments ? event.note().equals(Event.ENDS) : event.kind() == Kind.HEALED;
            return end && to == NEVER && name.equals(event.client());
        }

        Span until(long end) {
            return new Span(name, from, end, ofMoments);
        }

        String describe(long lost) {
            return name + " since " + before(from, lost) + (to == NEVER ? "" : " until " + before(to, lost));
        }
    }

    /**
     * Describes a moment near a loss.
     *
     * @param moment the moment on {@link System#nanoTime}
     * @param lost the moment of the loss
     * @return such as {@code 1.250 s before the loss}
     */
    public static String before(long moment, long lost) {
        return String.format(
                Locale.ROOT,
                "%.3f s %s the loss",
                Math.abs(moment - lost) / NANOS_PER_SECOND,
                moment <= lost ? "before" : "after");
    }
}
