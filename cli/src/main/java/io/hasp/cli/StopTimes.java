package io.hasp.cli;

import java.time.Duration;

/**
 * The times at which a command is stopped before its lease ends: SIGTERM at {@link #begin} before the end, SIGKILL at {@link #margin}
 * before it. A lease that is renewed in time has twice as much left.
 *
 * @param grace from SIGTERM to SIGKILL: a fifth of the lease, 5 seconds at most
 * @param margin from SIGKILL to the end of the lease: a tenth of the lease, 1 second at most
 */
record StopTimes(Duration grace, Duration margin) {
    private static final Duration MOST_GRACE = Duration.ofSeconds(5);
    private static final Duration MOST_MARGIN = Duration.ofSeconds(1);

    static StopTimes of(Duration lease) {
        return new StopTimes(shorter(lease.dividedBy(5), MOST_GRACE), shorter(lease.dividedBy(10), MOST_MARGIN));
    }

    Duration begin() {
        return grace.plus(margin);
    }

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
