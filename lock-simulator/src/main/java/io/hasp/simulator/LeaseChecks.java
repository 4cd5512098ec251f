package io.hasp.simulator;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.spi.HolderId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** There is one holder; what a client believes, the server keeps, and news ends it. */
final class LeaseChecks {
    private final SimulationRun run;
    private final TokenChecks tokens;
    /** Who may hold a name, by what was seen last. */
    private final List<List<TrackedLease>> mayHold = new ArrayList<>();

    private final List<HolderId> deniedNow = new ArrayList<>();
    private final Set<HolderId> denied = new HashSet<>();
    /** The holders whose loss their client has heard of since the latest reply to them. */
    private final Set<HolderId> lostSinceReply = new HashSet<>();
    /** Whose grant was heard of after its loss. */
    private final Set<HolderId> lostBefore = new HashSet<>();

    LeaseChecks(SimulationRun run, TokenChecks tokens, int names) {
        this.run = run;
        this.tokens = tokens;
        for (int i = 0; i < names; i++) {
            mayHold.add(new ArrayList<>());
        }
    }

    /** All that may be believed, and what was believed a while ago. */
    List<List<TrackedLease>> all() {
        return mayHold;
    }

    /** A caller has a lease. */
    TrackedLease given(SimulatedCaller caller, Lease lease) {
        ServerGrant granted = run.server.granted(lease.fencingToken() / TokenChecks.PER_GRANT);
        if (granted == null) {
            throw run.violated("a lease was granted", caller + " was given " + lease + ", which no server granted");
        }
        if (lostBefore.contains(granted.holder())) {
            throw run.violated("a lost grant is not given out", caller + " was given " + lease);
        }
        TrackedLease tracked = new TrackedLease(caller, lease, granted);
        caller.options().fixedLease().ifPresent(fixed -> tracked.endsBy = run.now() + fixed.toNanos());
        List<TrackedLease> all = mayHold.get(caller.name);
        if (tracked.active()) {
            if (caller.client.closing) {
                throw run.violated("a client that closes holds nothing", caller + " was given " + lease);
            }
            isAlone(tracked, all);
            tokens.grows(tracked);
        }
        all.add(tracked);
        look(tracked);
        return tracked;
    }

    private void isAlone(TrackedLease tracked, List<TrackedLease> all) {
        for (int i = all.size() - 1; i >= 0; i--) {
            TrackedLease other = all.get(i);
            if (!other.active()) {
                all.remove(i);
            } else if (!other.granted.revoked && !tracked.granted.revoked) {
                throw run.violated(
                        "one holder",
                        tracked.caller + " was given " + tracked.lease + " while " + other.caller + " has "
                                + other.lease);
            }
        }
    }

    /** What a client believes, the server keeps, until the client's own deadline at least. */
    void look(TrackedLease tracked) {
        boolean toldOfLoss = !denied.isEmpty()
                && denied.contains(tracked.granted.holder())
                && !tracked.caller.client.recovers(run.now());
        if (toldOfLoss && tracked.active()) {
            throw run.violated(
                    "news is not dropped",
                    tracked.caller + " believes in " + tracked.lease + ", and its client was told that it is gone");
        }
        if (tracked.active() && !tracked.granted.revoked) {
            long deadline = run.now() + tracked.lease.remaining().toNanos();
            long end = run.server.end(tracked.granted);
            if (deadline > end) {
                throw run.violated(
                        "belief ends first",
                        tracked.caller + " believes in " + tracked.lease
                                + (end == Long.MIN_VALUE
                                        ? ", which the server has ended"
                                        : " for " + (deadline - end) + " ns longer than the server keeps it"));
            }
        }
    }

    /** The client has begun to close. */
    void closing(SimulatedClient client) {
        for (List<TrackedLease> all : mayHold) {
            for (TrackedLease tracked : all) {
                if (tracked.caller.client == client && tracked.active()) {
                    throw run.violated("a client that closes holds nothing", tracked.caller + " has " + tracked.lease);
                }
            }
        }
    }

    /** The holder asks: what was said of it before counts no more. */
    void asks(HolderId holder) {
        if (!denied.isEmpty()) {
            denied.remove(holder);
        }
    }

    /** The client hears of a grant; whether it has heard of its loss before. */
    boolean isLost(HolderId holder) {
        return denied.contains(holder) && lostBefore.add(holder);
    }

    /**
     * The client hears a reply. Whether it has heard of a loss since the previous one: it may have decided to ask before that, and
     * have asked after it. The client does not take such a grant, and asks under a new id.
     */
    boolean wasLostSinceReply(HolderId holder) {
        return !lostSinceReply.isEmpty() && lostSinceReply.remove(holder);
    }

    /** The client was told for good that the holder does not have the lock. */
    void denied(HolderId holder) {
        denied.add(holder);
        lostSinceReply.add(holder);
        deniedNow.add(holder);
    }

    /** After a step: whoever heard of a loss believes no more. */
    void afterStep() {
        if (!deniedNow.isEmpty()) {
            deniedNow.forEach(holder -> leasesOf(holder).forEach(this::look));
            deniedNow.clear();
        }
    }

    /** A client heard that a holder of its can't be confirmed. */
    void suspected(HolderId holder) {
        for (TrackedLease tracked : leasesOf(holder)) {
            if (tracked.lease.state() == LeaseState.HELD) {
                throw run.violated("news is not dropped", tracked.caller + " does not doubt " + tracked.lease);
            }
        }
    }

    /** Those that stand on the grant of a holder. */
    List<TrackedLease> leasesOf(HolderId holder) {
        return mayHold.stream()
                .flatMap(List::stream)
                .filter(tracked -> tracked.granted.holder().equals(holder))
                .toList();
    }

    /** Time is about to pass, and a client has nothing left to do: what it heard has had its effect. */
    void newsIsTaken(SimulatedClient client) {
        for (SimulatedCaller caller : client.callers) {
            TrackedLease tracked = caller.tracked;
            if (tracked != null
                    && tracked.active()
                    && run.now() + tracked.lease.remaining().toNanos() > tracked.endsBy) {
                throw run.violated("a fixed lease ends in time", caller + " has " + tracked.lease + " for longer");
            }
            if (tracked != null && tracked.told != null && tracked.lease.state() != tracked.told) {
                throw run.violated(
                        "observers hear each change at once",
                        caller + " observes " + tracked.lease + " and was told " + tracked.told + " last");
            }
            if (tracked != null
                    && caller.renews()
                    && client.backend.monitor.pendingSignals.missesRenewal(
                            tracked.granted.holder())
                    && tracked.active()) {
                throw run.violated(
                        "signals are not dropped",
                        caller + " is connected again, and " + tracked.lease + " is not renewed");
            }
        }
    }

    /** The server has confirmed a fixed lease for longer. */
    void extended(TrackedLease tracked, Duration asked) {
        Duration least = asked.minusMillis(32);
        if (tracked.active() && tracked.lease.remaining().compareTo(least) < 0) {
            throw run.violated(
                    "an extension lasts", tracked.caller + " has " + tracked.lease.remaining() + " of " + asked);
        }
    }

    /** A lease can't be confirmed. */
    void doubted(SimulatedClient client, String lock) {
        // A grant that was not renewed, since its holder's max hold came first, may be passed on with little time left.
        if (!run.failuresExpected && !run.configuration.handOff() && !client.disturbed(run.now())) {
            throw run.violated(
                    "doubt has a reason", "c" + client.index + " doubts " + lock + ", and every request was answered");
        }
    }

    /** Whether another caller of that one's client has the lock it wants. */
    boolean heldByClient(SimulatedCaller caller) {
        for (TrackedLease tracked : mayHold.get(caller.name)) {
            if (tracked.caller.client == caller.client && tracked.active()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a caller has the lock, so that others wait for a reason. */
    boolean somebodyHolds(int name) {
        for (TrackedLease tracked : mayHold.get(name)) {
            if (tracked.caller.tracked == tracked && tracked.active()) {
                return true;
            }
        }
        return false;
    }
}
