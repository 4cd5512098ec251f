package io.hasp.engine.lease;

import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Share;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * How one lock is to be held.
 *
 * @param lease how long the server is asked to keep it, in whole milliseconds
 * @param fixed how long it is held at most, if it is not renewed; empty if it is
 * @param maxHold how long it is held at most, whatever is confirmed
 * @param share how much of the lock is taken
 * @param takenAtLeast how long the lock stays taken on the server at least, although its holder gives it back
 */
public record LeaseTerms(
        Duration lease,
        Optional<Duration> fixed,
        Optional<Duration> maxHold,
        Share share,
        Optional<Duration> takenAtLeast) {

    /** Terms for an exclusive lease that is renewed, or for a fixed one. */
    public static LeaseTerms of(Duration renewed, Optional<Duration> fixed, Optional<Duration> maxHold) {
        return new LeaseTerms(
                wholeMilliseconds(fixed.orElse(renewed)), fixed, maxHold, Share.EXCLUSIVE, Optional.empty());
    }

    /** The same for a lock that stays taken for so long: also if its process dies at once, so the server is asked for no less. */
    public LeaseTerms takenAtLeast(Duration least) {
        Duration whole = wholeMilliseconds(least);
        return new LeaseTerms(lease.compareTo(whole) < 0 ? whole : lease, fixed, maxHold, share, Optional.of(least));
    }

    /** The same for a lock that nobody uses: it need not stay taken. */
    public LeaseTerms unused() {
        return new LeaseTerms(lease, fixed, maxHold, share, Optional.empty());
    }

    /** The same for another share of a lock. */
    public LeaseTerms withShare(Share other) {
        return new LeaseTerms(lease, fixed, maxHold, other, takenAtLeast);
    }

    /** What every server can tell, rounded up: a lease never ends there before its time. */
    public static Duration wholeMilliseconds(Duration lease) {
        Duration whole = lease.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(lease) ? lease : whole.plusMillis(1);
    }

    /** Whether it is renewed for as long as it is held, so that the lease of one holder is as good as another's. */
    public boolean renewed() {
        return fixed.isEmpty();
    }

    /** Whether the grant may be another's before or after. */
    public boolean passedOn() {
        return renewed() && takenAtLeast.isEmpty();
    }

    /** When a lease that begins at that moment ends, whatever the server confirms. */
    long cap(long from) {
        long cap = from + Nanos.FOREVER;
        if (fixed.isPresent()) {
            long lease = Nanos.of(fixed.get());
            cap = from + lease - Nanos.drift(lease);
        }
        return maxHold.isPresent() ? Math.min(cap, from + Nanos.of(maxHold.get())) : cap;
    }
}
