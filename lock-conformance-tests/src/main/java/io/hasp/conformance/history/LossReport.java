package io.hasp.conformance.history;

import io.hasp.conformance.history.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The reason of each lost lease by the servers' record, one line each, for the reader of a long run. Stateless. */
public final class LossReport {
    private static final double NANOS_PER_SECOND = 1e9;

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
     * Describes the faults of the time of a lease, and the latest one before its loss.
     *
     * @param events the events of a history, in order
     * @param granted the begin of the lease on {@link System#nanoTime}
     * @param lost when its client found it lost
     * @return the faults with their times before the loss
     */
    public static String faults(List<Event> events, long granted, long lost) {
        List<String> found = new ArrayList<>();
        String latest = "";
        for (Event fault : events) {
            if (fault.kind() == Kind.FAULT && fault.at() <= lost) {
                long end = healed(events, fault);
                latest = fault.client() + " since " + before(fault.at(), lost)
                        + (end > lost ? "" : " until " + before(end, lost));
                if (end >= granted) {
                    found.add(latest);
                }
            }
        }
        if (found.isEmpty()) {
            return "no fault since the grant" + (latest.isEmpty() ? "" : ", the latest was: " + latest);
        }
        return String.join(", ", found);
    }

    private static long healed(List<Event> events, Event fault) {
        return events.stream()
                .filter(event -> event.kind() == Kind.HEALED
                        && event.client().equals(fault.client())
                        && event.at() >= fault.at())
                .mapToLong(Event::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
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
