package io.hasp.engine.lease;

import io.hasp.engine.threads.Nanos;
import io.hasp.spi.Share;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The terms under which one lock is held.
 *
 * @param lease the lease that the server is asked for, in whole milliseconds
 * @param fixed the longest time without renewal; empty for a renewed lease
 * @param maxHold the longest time in any case
 * @param share the share of the lock
 * @param takenAtLeast the time for which the lock stays taken on the server, even after its release
 * @param label the holder's name for people; may be empty
 */
public record LeaseTerms(
        Duration lease,
        Optional<Duration> fixed,
        Optional<Duration> maxHold,
        Share share,
        Optional<Duration> takenAtLeast,
        String label) {

    /** Terms for an exclusive lease that is renewed, or for a fixed one. */
    public static LeaseTerms of(Duration renewed, Optional<Duration> fixed, Optional<Duration> maxHold) {
        return new LeaseTerms(
                wholeMilliseconds(fixed.orElse(renewed)), fixed, maxHold, Share.EXCLUSIVE, Optional.empty(), "");
    }

    /** The same for a lock that stays taken for a time. The requested lease is no shorter, so that it holds if the process dies at once. */
    public LeaseTerms takenAtLeast(Duration least) {
        Duration whole = wholeMilliseconds(least);
        return new LeaseTerms(
                lease.compareTo(whole) < 0 ? whole : lease, fixed, maxHold, share, Optional.of(least), label);
    }

    /** The same for a lock without a user: it need not stay taken. */
    public LeaseTerms unused() {
        return new LeaseTerms(lease, fixed, maxHold, share, Optional.empty(), label);
    }

    /** The same for another share of a lock. */
    public LeaseTerms withShare(Share other) {
        return new LeaseTerms(lease, fixed, maxHold, other, takenAtLeast, label);
    }

    /** The same for a holder with another name. */
    public LeaseTerms withLabel(String other) {
        return new LeaseTerms(lease, fixed, maxHold, share, takenAtLeast, other);
    }

    /** Rounded up to the unit that every server can represent: a lease never ends there before its time. */
    public static Duration wholeMilliseconds(Duration lease) {
        Duration whole = lease.truncatedTo(ChronoUnit.MILLIS);
        return whole.equals(lease) ? lease : whole.plusMillis(1);
    }

    /** True if it is renewed while it is held, so that the lease of one holder is as good as another's. */
    public boolean renewed() {
        return fixed.isEmpty();
    }

    /** True if the grant may pass from one holder to another. */
    public boolean passedOn() {
        return renewed() && takenAtLeast.isEmpty();
    }

    /** The latest end of a lease that begins at that moment, whatever the server confirms. */
    long cap(long from) {
        long cap = from + Nanos.FOREVER;
        if (fixed.isPresent()) {
            long lease = Nanos.of(fixed.get());
            cap = from + lease - Nanos.drift(lease);
        }
        return maxHold.isPresent() ? Math.min(cap, from + Nanos.of(maxHold.get())) : cap;
    }
}
