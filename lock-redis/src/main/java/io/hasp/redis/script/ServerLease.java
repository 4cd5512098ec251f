package io.hasp.redis.script;

import io.hasp.spi.Claim;
import java.time.Duration;

/** The lease in a request to the server: whole milliseconds, within the range of the server. */
public final class ServerLease {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ServerLease() {}

    public static Duration of(Claim claim) {
        Duration lease = claim.lease();
        return lease.compareTo(LONGEST) > 0 ? LONGEST : Duration.ofMillis(Math.max(1, lease.toMillis()));
    }
}
