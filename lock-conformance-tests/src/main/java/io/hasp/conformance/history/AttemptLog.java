package io.hasp.conformance.history;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.Event.Kind;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records one acquisition, on behalf of its client. First comes exactly one of {@link #granted}, {@link #refused} and
 * {@link #unknown}. After a grant follow any beliefs and deadlines, then {@link #releasing} and one of
 * {@link #released} and {@link #releaseUnknown}. The record of a client that dies ends early; the checks allow for
 * that. Thread-safe.
 */
public final class AttemptLog {
    private static final int MOST_CAUSES = 5;

    private final HistoryLog log;
    private final String client;
    private final long number;
    private final String lock;
    private final LockMode mode;
    private long believed;
    private boolean lost;

    AttemptLog(HistoryLog log, String client, long number, String lock, LockMode mode) {
        this(log, client, number, lock, mode, Kind.ACQUIRE);
    }

    private AttemptLog(HistoryLog log, String client, long number, String lock, LockMode mode, Kind first) {
        this.log = log;
        this.client = client;
        this.number = number;
        this.lock = lock;
        this.mode = mode;
        write(first, mode.number(), "");
    }

    static AttemptLog ofRelease(HistoryLog log, String client, long number, String lock) {
        return new AttemptLog(log, client, number, lock, LockMode.EXCLUSIVE, Kind.RELEASE);
    }

    /** The rest of a reduced hold is a grant of its own, to the same client. */
    AttemptLog lowering(LockMode less) {
        return log.acquiring(client, lock, less);
    }

    LockMode mode() {
        return mode;
    }

    /**
     * Returns the number of this attempt.
     *
     * @return a positive number, unique within the log
     */
    public long number() {
        return number;
    }

    /**
     * Records a grant.
     *
     * @param token its fencing token; 0 for none
     */
    public synchronized void granted(long token) {
        believed = System.nanoTime();
        log.add(new Event(believed, Kind.GRANTED, client, number, lock, token, ""));
    }

    /** Records the rest of a reduced hold, which has the token of the whole, and none of its own. */
    synchronized void grantedRest(long token) {
        believed = System.nanoTime();
        log.add(new Event(believed, Kind.GRANTED, client, number, lock, 0, Event.REST + token));
    }

    /** Records a certain refusal. */
    public void refused() {
        write(Kind.REFUSED, 0, "");
    }

    /**
     * Records a failed call; the server may have granted the lock.
     *
     * @param why the failure
     */
    public void unknown(Throwable why) {
        write(Kind.UNKNOWN, 0, chain(why));
    }

    /**
     * Records a new deadline of the hold; the latest deadline counts.
     *
     * @param at a moment on {@link System#nanoTime}
     */
    public void deadline(long at) {
        write(Kind.DEADLINE, at, "");
    }

    /**
     * Records the client's own view of the hold. Only the change to "lost" is written, with the last moment at which
     * the client considered the lock held. A late look therefore does not lengthen a hold.
     *
     * @param held true if the client considers the lock held
     * @param asked a moment on {@link System#nanoTime} <em>before</em> the look
     */
    public synchronized void believes(boolean held, long asked) {
        if (held) {
            believed = Math.max(believed, asked);
        } else if (!lost) {
            lost = true;
            write(Kind.LOST, believed, "");
        }
    }

    /**
     * Records that the client read a counter.
     *
     * @param value the value read
     */
    public void read(long value) {
        write(Kind.READ, value, "");
    }

    /**
     * Records that the client read a counter, added one, and wrote it.
     *
     * @param value the value written
     */
    public void counted(long value) {
        write(Kind.COUNTED, value, "");
    }

    /** Records that the client calls release now. */
    public void releasing() {
        write(Kind.RELEASE, 0, "");
    }

    /**
     * Records the answer to a release.
     *
     * @param held false if the answer was that this client did not hold the lock
     */
    public void released(boolean held) {
        write(held ? Kind.RELEASED : Kind.NOT_HELD, 0, "");
    }

    /**
     * Records a failed release; the lock may still be held on the server.
     *
     * @param why the failure
     */
    public void releaseUnknown(Throwable why) {
        write(Kind.RELEASE_UNKNOWN, 0, chain(why));
    }

    /** With its causes: the reader of a timeline has no stack trace. */
    private static String chain(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .map(String::valueOf)
                .collect(Collectors.joining(" <- "));
    }

    private void write(Kind kind, long value, String note) {
        log.add(new Event(System.nanoTime(), kind, client, number, lock, value, note));
    }
}
