package io.hasp.simulator.checks;

import io.hasp.spi.HolderId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signals that a client has heard and not acted on. A waiter that may get the lock has to ask; a holder that is connected
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
    /** How many renewals of a holder are under way: two when a lease is lowered while it is being renewed. */
    private final Map<HolderId, Integer> renewing = new HashMap<>();

    /** How often the backend went away or was there again for a holder. */
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

    /** What is only asked for need not be renewed now if the backend went away again. */
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

    /** Whether the backend was there again while a renewal of a doubted lease was under way, and none was sent since. */
    boolean unconfirmed(HolderId holder) {
        return unconfirmed.contains(holder);
    }

    /** Whether the backend was there again since the holder asked for a lock. */
    boolean restoredSinceAsked(HolderId holder) {
        return restored.contains(holder);
    }

    /** A grant was asked for before the backend went away or was there again: it is renewed before it is believed, and in the latter case now. */
    void grantedBefore(HolderId holder, boolean renewsNow) {
        grantedBefore.add(holder);
        if (renewsNow) {
            restored.add(holder);
        }
    }

    boolean isGrantedBefore(HolderId holder) {
        return grantedBefore.contains(holder);
    }

    /** The grant of the holder may be kept: the first recall asks for a renewal that no longer keeps it. */
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

    /** A renewal has failed. A signal that came meanwhile counts as acted on. */
    void notRenewed(HolderId holder) {
        restored.remove(holder);
        renewed(holder);
    }

    /** A renewal has its reply. If a signal came meanwhile, that says nothing of what is true since. */
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

    /** Whether a holder is connected again, and would be renewed no sooner than usual. */
    boolean missesRenewal(HolderId holder) {
        return restored.contains(holder) && !renewing.containsKey(holder);
    }

    /** Whether a waiter was signalled, and would ask no sooner than at its next poll. */
    boolean missesRequest() {
        return !signalled.isEmpty() && !asking.containsAll(signalled);
    }
}
