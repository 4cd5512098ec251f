package io.hasp.conformance.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The calls of one thread in order, with times. Written by that thread and its callbacks, read by any thread.
 * Thread-safe.
 */
final class CallLog {
    private static final double NANOS_PER_MILLI = 1e6;

    private final String thread;
    private final long zero;
    private final List<Entry> entries = new ArrayList<>();
    private long changedAt = System.nanoTime();

    /** An empty one; {@code zero} is the moment from which times count. */
    CallLog(String thread, long zero) {
        this.thread = thread;
        this.zero = zero;
    }

    /** One call. What comes of it may be noted later than its end. */
    final class Entry {
        private final StringBuilder text;
        private boolean ended;

        private Entry(String text) {
            this.text = new StringBuilder(text);
        }

        void note(String what) {
            synchronized (CallLog.this) {
                changedAt = System.nanoTime();
                text.append(' ')
                        .append(what)
                        .append(" (")
                        .append(at(changedAt).strip())
                        .append(')');
            }
        }

        void end() {
            synchronized (CallLog.this) {
                changedAt = System.nanoTime();
                ended = true;
            }
        }

        @Override
        public String toString() {
            return ended ? text.toString() : text + " …";
        }
    }

    synchronized Entry begin(String client, String what) {
        changedAt = System.nanoTime();
        Entry entry = new Entry(at(changedAt) + "  " + client + "  " + what + " →");
        entries.add(entry);
        return entry;
    }

    synchronized long changedAt() {
        return changedAt;
    }

    /** The latest call. */
    synchronized String current() {
        return entries.isEmpty()
                ? thread
                : thread + " " + entries.get(entries.size() - 1).toString().strip();
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder(thread).append(":\n");
        entries.forEach(entry -> text.append("  ").append(entry).append('\n'));
        return text.toString();
    }

    private String at(long moment) {
        return String.format(Locale.ROOT, "%9.3f", (moment - zero) / NANOS_PER_MILLI);
    }
}
