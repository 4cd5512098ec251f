package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.KeepEvents.Kind;
import java.time.Duration;
import java.util.Optional;

/**
 * A client that keeps locks, and its events.
 *
 * @param user the client
 * @param events counts its events
 */
public record Keeper(LockUser user, KeepEvents events) {
    /** One more than the grants of a name that are not kept after it was recalled twice, and one for a machine that stood still. */
    public static final int TRIES = 10;

    /** Takes a lock that has to be free, or is kept here. */
    public Hold take(String lock) throws Exception {
        return user.tryAcquire(lock, Timings.tolerance())
                .orElseThrow(() -> new AssertionError("a lock that nobody else has was refused for "
                        + Timings.tolerance() + " to the client that keeps it"));
    }

    /** Takes a lock without a wait that is kept here, so that no request is needed. */
    public Hold takeAgain(String lock) throws Exception {
        Optional<Hold> hold;
        try {
            hold = user.tryAcquire(lock, Duration.ZERO);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("a client that keeps a lock had to ask for it again", e);
        }
        return hold.orElseThrow(
                () -> new AssertionError("a client that keeps a lock had to ask for it again, and was refused"));
    }

    public long useAgain(String lock) throws Exception {
        return released(takeAgain(lock));
    }

    /** Some times, each with a larger token; says the last one. */
    public long useAgain(String lock, int times, long token) throws Exception {
        long last = token;
        for (int i = 0; i < times; i++) {
            long next = useAgain(lock);
            assertThat(next).as("token of a lease on a lock that was kept").isGreaterThan(last);
            last = next;
        }
        return last;
    }

    /**
     * Uses a lock so that it is kept afterwards, and says with which token. A grant that is too old after a moment in which the machine
     * stood still is not kept, nor are some grants of a name that was recalled late, so this tries again.
     */
    public long keep(String lock) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            int before = events.of(lock, Kind.KEPT);
            long token = released(take(lock));
            if (events.awaitMore(lock, Kind.KEPT, before, Timings.units(2))) {
                return token;
            }
        }
        throw new AssertionError("a lock without other waiters was not kept after its release");
    }

    /** The same for a lock that others want again and again: one that is used twice does not count as one that wanders. */
    public long keepUsedTwice(String lock) throws Exception {
        keep(lock);
        return keep(lock);
    }

    public static long released(Hold hold) throws Exception {
        long token = hold.token().orElseThrow();
        assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        return token;
    }
}
