package io.hasp.redis.script;

import io.hasp.spi.Claim;
import java.time.Duration;

/** The lease in a request to the server: whole milliseconds, within the range of the server. */
public final class ServerLease {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ServerLease() {}

    public static Duration of(Claim claim) {
        return Duration.ofMillis(millis(claim));
    }

    public static long millis(Claim claim) {
        Duration lease = claim.lease();
        return lease.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : Math.max(1, lease.toMillis());
    }
}
