package io.hasp.examples.moving;

import java.util.concurrent.locks.LockSupport;

/**
 * The store that the service writes to. It refuses a token that is not larger than the last one, and notices two
 * writers at once.
 */
final class Store {
    private static final long WRITE_NANOS = 100_000;

    private long last;
    private int writers;
    private Report report = new Report(0, 0, 0);

    /** The number of accepted, refused and overlapping writes. */
    record Report(int accepted, int refused, int overlapping) {}

    long write(long token) {
        begin(token);
        LockSupport.parkNanos(WRITE_NANOS);
        end();
        return token;
    }

    private synchronized void begin(long token) {
        boolean grows = token > last;
        last = Math.max(last, token);
        report = new Report(
                report.accepted + (grows ? 1 : 0),
                report.refused + (grows ? 0 : 1),
                report.overlapping + (writers > 0 ? 1 : 0));
        writers++;
    }

    private synchronized void end() {
        writers--;
    }

    synchronized Report report() {
        return report;
    }
}
