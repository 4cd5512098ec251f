package io.hasp.simulator.checks;

import io.hasp.spi.HolderId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signals that a client has received and not acted on. A waiter that may get the lock has to ask; a holder that is connected
 * again has to renew.
 */
final class PendingSignals {
    private final Set<HolderId> waiting = new HashSet<>();
    private final Set<HolderId> signalled = new HashSet<>();
    private final Set<HolderId> asking = new HashSet<>();
    private final Set<HolderId> restored = new HashSet<>();
    private final Set<HolderId> unconfirmed = new HashSet<>();
    /** The holders whose grants may be those of a former server, and that were not renewed since. */
    private final Set<HolderId> grantedBefore = new HashSet<>();
    /** The holders that were not recalled yet. */
    private final Set<HolderId> keeping = new HashSet<>();
    /** The number of renewals of a holder that are under way: two when a lease is lowered during its renewal. */
    private final Map<HolderId, Integer> renewing = new HashMap<>();

    /** The number of times that the backend went away or came back for a holder. */
    private final Map<HolderId, Integer> interruptions = new HashMap<>();

    void mayBeFree(HolderId holder) {
        if (waiting.contains(holder)) {
            signalled.add(holder);
        }
    }

    void restored(HolderId holder, boolean suspect) {
        restored.add(holder);
        interrupted(holder);
        if (suspect && renewing.containsKey(holder)) {
            unconfirmed.add(holder);
        }
    }

    /** The backend went away. A holder without a lease need not be renewed now. */
    void away(HolderId holder, boolean held) {
        interrupted(holder);
        if (!held) {
            restored.remove(holder);
        }
    }

    private void interrupted(HolderId holder) {
        interruptions.merge(holder, 1, Integer::sum);
    }

    int interruptions(HolderId holder) {
        return interruptions.getOrDefault(holder, 0);
    }

    /** True if the backend came back during the renewal of a doubted lease, and no renewal was sent since. */
    boolean unconfirmed(HolderId holder) {
        return unconfirmed.contains(holder);
    }

    /** True if the backend came back since the holder requested a lock. */
    boolean restoredSinceAsked(HolderId holder) {
        return restored.contains(holder);
    }

    /** A grant was requested before the backend went away or came back. It is renewed before it counts; after a return, at once. */
    void grantedBefore(HolderId holder, boolean renewsNow) {
        grantedBefore.add(holder);
        if (renewsNow) {
            restored.add(holder);
        }
    }

    boolean isGrantedBefore(HolderId holder) {
        return grantedBefore.contains(holder);
    }

    /** The grant of the holder may be kept: the first recall demands a renewal that no longer keeps it. */
    void keeps(HolderId holder) {
        keeping.add(holder);
    }

    /** A renewal says that the grant is not kept. */
    void keepsNot(HolderId holder) {
        keeping.remove(holder);
    }

    void wanted(HolderId holder) {
        if (keeping.remove(holder)) {
            restored.add(holder);
        }
    }

    void renews(HolderId holder) {
        restored.remove(holder);
        grantedBefore.remove(holder);
        unconfirmed.remove(holder);
        renewing.merge(holder, 1, Integer::sum);
    }

    /** A renewal has failed. A signal that came during the renewal counts as acted on. */
    void notRenewed(HolderId holder) {
        restored.remove(holder);
        renewed(holder);
    }

    /** A renewal has its reply, which confirms nothing after a signal that came during the renewal. */
    void renewed(HolderId holder) {
        renewing.computeIfPresent(holder, PendingSignals::oneLess);
    }

    private static @Nullable Integer oneLess(HolderId holder, int present) {
        return present == 1 ? null : present - 1;
    }

    void asks(HolderId holder) {
        signalled.remove(holder);
        restored.remove(holder);
        unconfirmed.remove(holder);
        asking.add(holder);
        waiting.add(holder);
    }

    void answered(HolderId holder) {
        asking.remove(holder);
    }

    void forget(HolderId holder) {
        restored.remove(holder);
        grantedBefore.remove(holder);
        unconfirmed.remove(holder);
        waiting.remove(holder);
        signalled.remove(holder);
        asking.remove(holder);
    }

    /** True if a holder is connected again, and would be renewed no sooner than usual. */
    boolean missesRenewal(HolderId holder) {
        return restored.contains(holder) && !renewing.containsKey(holder);
    }

    /** True if a waiter was signalled, and would make its request no sooner than at its next poll. */
    boolean missesRequest() {
        return !signalled.isEmpty() && !asking.containsAll(signalled);
    }
}
