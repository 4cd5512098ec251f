package io.hasp.redis.holder;

import io.hasp.spi.ClockMargin;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's message that it has given a lock to a waiter of this client, for the time of a claim. Only a sign of life from the waiter
 * makes this time longer. Channels and holders are this client's own, so the lock is the one that the holder waits for.
 *
 * <p>The message has no time, and it may have been under way for long. But a request that was refused while the newest token was smaller
 * was served before the grant. So the grant is younger than the sending of that request, and valid for at least one claim from then on,
 * without another request.
 *
 * <p>With the token 0 the message is a call: no grant has that token, so the waiter trusts none, and asks. A waiter of a shared lock is
 * called when it has come from far behind to the front.
 *
 * @param holder the waiter
 * @param token of the grant; 0 for a call
 * @param claim the time for which the server keeps the lock for the waiter
 * @param marked true if the lock has the waiter's mark
 * @param lock the key
 */
public record GrantMessage(String holder, long token, Duration claim, boolean marked, String lock) {
    private static final Pattern FORM =
            Pattern.compile("([\\w-]+)\\|(\\d{1,16})\\|(\\d{1,9})(\\^?)\\|(.+)", Pattern.DOTALL);

    /**
     * A refusal of the same waiter.
     *
     * @param sentAt the sending of the request, on the monotonic clock
     * @param newest the newest token of the lock when the server refused it
     */
    public record Refusal(long sentAt, long newest) {}

    /** Reads a message; empty if it is of another kind. */
    public static Optional<GrantMessage> parse(String message) {
        Matcher parts = FORM.matcher(message);
        return parts.matches()
                ? Optional.of(new GrantMessage(
                        parts.group(1),
                        Long.parseLong(parts.group(2)),
                        Duration.ofMillis(Long.parseLong(parts.group(3))),
                        !parts.group(4).isEmpty(),
                        parts.group(5)))
                : Optional.empty();
    }

    /** Returns the time from now for which the grant is certainly valid; zero or less if it is unknown. */
    Duration validity(Refusal refusal, long now) {
        return refusal.newest() >= token
                ? Duration.ZERO
                : claim.minusNanos(ClockMargin.ofNanos(claim.toNanos())).minusNanos(now - refusal.sentAt());
    }
}
