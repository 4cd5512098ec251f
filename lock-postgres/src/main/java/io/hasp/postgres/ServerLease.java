package io.hasp.postgres;

import io.hasp.spi.Claim;
import java.time.Duration;

/** The lease in a request to the server: whole milliseconds, at most a hundred years. */
final class ServerLease {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ServerLease() {}

    static Duration of(Claim claim) {
        return Duration.ofMillis(millis(claim));
    }

    static long millis(Claim claim) {
        Duration lease = claim.lease();
        return lease.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : Math.max(1, lease.toMillis());
    }
}
