package io.hasp.redis.script;

import io.hasp.spi.Claim;
import java.time.Duration;

/** How long the server is asked to keep a lock: whole milliseconds, within what it can count. */
public final class ServerLease {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private ServerLease() {}

    public static Duration of(Claim claim) {
        Duration lease = claim.lease();
        return lease.compareTo(LONGEST) > 0 ? LONGEST : Duration.ofMillis(Math.max(1, lease.toMillis()));
    }
}
