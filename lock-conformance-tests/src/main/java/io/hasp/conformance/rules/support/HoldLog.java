package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Records the holds of a lock, by the monotonic clock. A hold lasts from the return of the acquire to the call of the
 * release. Within that time the client may rely on the lock, so any overlap is a violation.
 */
public final class HoldLog {
    private static final double NANOS_PER_MILLI = 1e6;

    record Entry(String who, long from, long until) {}

    private final List<Entry> entries = new ArrayList<>();

    public synchronized void add(String who, long from, long until) {
        entries.add(new Entry(who, from, until));
    }

    public synchronized int size() {
        return entries.size();
    }

    /** Fails with the two holds that overlap. */
    public synchronized void assertNoOverlap() {
        entries.sort(Comparator.comparingLong(Entry::from));
        for (int i = 1; i < entries.size(); i++) {
            Entry before = entries.get(i - 1);
            Entry after = entries.get(i);
            if (after.from() - before.until() < 0) {
                fail("two clients held the lock at the same time: " + text(before, before.from()) + ", and "
                        + text(after, before.from()));
            }
        }
    }

    private static String text(Entry entry, long origin) {
        return String.format(
                Locale.ROOT,
                "%s from %.3f to %.3f ms",
                entry.who(),
                (entry.from() - origin) / NANOS_PER_MILLI,
                (entry.until() - origin) / NANOS_PER_MILLI);
    }
}
