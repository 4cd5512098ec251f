package io.hasp.simulator.checks;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.server.ServerGrant;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.World;
import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Checks that the holders of a lock fit together, that a lease ends before its grant, and that a client acts on the news of a lease. */
public final class LeaseChecks {
    private static final String CONFIRMS_NOTHING =
            "what was asked before the backend went away or was there again confirms nothing";

    private final World world;
    private final SimulatedThreads threads;
    private final ReferenceServer server;
    private final List<SimulatedClient> clients;
    private final Function<SimulatedClient, PendingSignals> signals;
    private final TokenChecks tokens;
    /** By name: the leases that may be active, and some that have ended. */
    private final List<List<TrackedLease>> mayHold = new ArrayList<>();

    /** A lock that has to stay taken until then. */
    private record Taken(ServerGrant granted, long until) {}

    /** By name. */
    private final List<List<Taken>> taken = new ArrayList<>();

    private final List<HolderId> deniedNow = new ArrayList<>();
    private final Set<HolderId> denied = new HashSet<>();
    /** The holders whose loss reached their client since the latest reply to them. */
    private final Set<HolderId> lostSinceReply = new HashSet<>();
    /** The holders whose loss reached their client before their grant. */
    private final Set<HolderId> lostBefore = new HashSet<>();

    LeaseChecks(
            Network network,
            List<SimulatedClient> clients,
            TokenChecks tokens,
            Function<SimulatedClient, PendingSignals> signals) {
        this.world = network.world;
        this.threads = network.threads;
        this.server = network.server;
        this.clients = clients;
        this.tokens = tokens;
        this.signals = signals;
        for (int i = 0; i < world.configuration.names(); i++) {
            mayHold.add(new ArrayList<>());
            taken.add(new ArrayList<>());
        }
    }

    /** By name: the leases that may be active, and some that have ended. */
    List<List<TrackedLease>> all() {
        return mayHold;
    }

    /** A caller was given a lease. */
    TrackedLease given(SimulatedCaller caller, Lease lease) {
        ServerGrant granted = server.granted(lease.fencingToken() / TokenChecks.PER_GRANT);
        if (granted == null) {
            throw world.violated("a lease was granted", caller + " was given " + lease + ", which no server granted");
        }
        if (lostBefore.contains(granted.holder())) {
            throw world.violated("a lost grant becomes no lease", caller + " was given " + lease);
        }
        if (signals.apply(caller.client).isGrantedBefore(granted.holder())
                && threads.atAStretch(lease::state) == LeaseState.HELD) {
            throw world.violated(CONFIRMS_NOTHING, caller + " was given " + lease + ", and does not doubt it");
        }
        TrackedLease tracked = new TrackedLease(caller, lease, granted);
        caller.options().fixedLease().ifPresent(fixed -> tracked.endsBy = world.now() + fixed.toNanos());
        staysTaken(tracked);
        List<TrackedLease> all = mayHold.get(caller.name);
        if (tracked.active()) {
            if (caller.client.givesBack) {
                throw world.violated("a closing client holds nothing", caller + " was given " + lease);
            }
            fits(tracked, all);
            tokens.grows(tracked);
            interrupted(tracked, all);
        }
        all.add(tracked);
        lastsAsConfirmed(tracked);
        look(tracked);
        return tracked;
    }

    /** A max hold of an earlier lease on the same grant does not shorten this one. */
    private void lastsAsConfirmed(TrackedLease tracked) {
        tracked.deadline(world.now()).ifPresent(deadline -> {
            if (deadline < tracked.granted.believedUntil) {
                throw world.violated(
                        "a lease lasts as long as its grant",
                        tracked.caller + " was given " + tracked.lease + ", and its grant was confirmed for "
                                + (tracked.granted.believedUntil - deadline) + " ns longer");
            }
        });
    }

    /** A caller keeps a part of its share. The old lease is over, and no other holder was let in too early. */
    TrackedLease lowered(TrackedLease old, Lease lease, Duration before) {
        TrackedLease tracked = new TrackedLease(old.caller, lease, old.granted);
        tracked.endsBy = old.endsBy;
        tracked.left = old.left;
        tracked.work = old.work;
        boolean reads = tracked.share.equals(Share.READ);
        if (old.active() || lease.remaining().compareTo(before) > 0 || tracked.token != old.token + (reads ? 1 : 0)) {
            throw world.violated(
                    "what is left of a lease is no more than it was",
                    old.caller + " had " + old.lease + " for " + before + " and has " + lease);
        }
        List<TrackedLease> all = mayHold.get(old.caller.name);
        if (tracked.active()) {
            fits(tracked, all);
            tokens.noted(tracked);
        }
        all.add(tracked);
        look(tracked);
        return tracked;
    }

    /** A lock that is taken for a least time is granted no earlier, not even on the same grant. */
    private void staysTaken(TrackedLease tracked) {
        List<Taken> all = taken.get(tracked.caller.name);
        for (Taken before : all) {
            boolean sameGrant = before.granted == tracked.granted;
            long begun = sameGrant ? world.now() : tracked.granted.grantedAt;
            boolean later = sameGrant || tracked.granted.grant.token() > before.granted.grant.token();
            if (later && begun < before.until && !before.granted.revoked) {
                throw world.violated(
                        "a lock stays taken for as long as asked",
                        tracked.caller + " was given " + tracked.lease + ", " + Duration.ofNanos(before.until - begun)
                                + " too early");
            }
        }
        Duration least = tracked.caller.options().takenAtLeast().orElse(null);
        if (least != null) {
            all.add(new Taken(tracked.granted, tracked.granted.grantedAt + least.toNanos()));
        }
    }

    private void fits(TrackedLease tracked, List<TrackedLease> all) {
        int free = tracked.share.capacity() - tracked.share.weight();
        for (int i = all.size() - 1; i >= 0; i--) {
            TrackedLease other = all.get(i);
            if (!other.active()) {
                all.remove(i);
            } else if (excludeEachOther(other, tracked)) {
                throw world.violated(
                        "a grant tells what it excludes",
                        tracked.caller + " was given " + tracked.lease + ", and its client believes " + other.lease);
            } else if (!other.granted.revoked && !tracked.granted.revoked) {
                free -= other.share.weight();
                if (free < 0 || other.share.capacity() != tracked.share.capacity()) {
                    throw world.violated(
                            "holders fit together",
                            tracked.caller + " was given " + tracked.lease + " while " + other.caller + " has "
                                    + other.lease);
                }
            }
        }
    }

    /** Work under a lease that was lost is interrupted before another client begins. */
    private void interrupted(TrackedLease begun, List<TrackedLease> all) {
        for (TrackedLease before : all) {
            SimulatedClient client = before.caller.client;
            if (before.work != null
                    && before.work.stops()
                    && before.state() == LeaseState.RELEASED
                    && !client.givesBack
                    && !client.broken) {
                throw world.violated(
                        "work has ended before its lock is released",
                        begun.caller + " was given " + begun.lease + ", and " + before.caller + " works under "
                                + before.lease);
            }
            if (before.work != null
                    && before.work.goesOn()
                    && !before.active()
                    && client.index != begun.caller.client.index
                    && !before.granted.revoked
                    && !client.closed
                    && !client.disturbedInside(world.now())) {
                throw world.violated(
                        "work is interrupted before others begin",
                        begun.caller + " was given " + begun.lease + ", and " + before.caller + " works under "
                                + before.lease);
            }
        }
    }

    /** Of two grants of one client that do not fit beside each other, the client sees by their tokens which one is over. */
    private static boolean excludeEachOther(TrackedLease one, TrackedLease other) {
        return one.caller.client == other.caller.client
                && one.share.capacity() == other.share.capacity()
                && one.share.weight() > other.share.capacity() - other.share.weight();
    }

    /** Checks one lease now: the server keeps its grant until the client's own deadline at least. */
    void look(TrackedLease tracked) {
        tracked.deadline(world.now())
                .ifPresent(until -> tracked.granted.believedUntil = Math.max(tracked.granted.believedUntil, until));
        boolean lossHeard = !denied.isEmpty() && denied.contains(tracked.granted.holder());
        if (lossHeard && tracked.active()) {
            throw world.violated(
                    "a loss or a doubt is not ignored",
                    tracked.caller + " has " + tracked.lease + ", and its client was told that it is gone");
        }
        if (tracked.active() && tracked.share.weight() > tracked.granted.weight) {
            throw world.violated(
                    "a lease is no more than its grant",
                    tracked.caller + " has " + tracked.share + " by " + tracked.lease + ", and the server has "
                            + tracked.granted.weight);
        }
        if (tracked.active() && !tracked.granted.revoked) {
            long deadline = world.now() + tracked.remaining().toNanos();
            long end = server.end(tracked.granted);
            if (deadline > end) {
                throw world.violated(
                        "a lease ends before its grant",
                        tracked.caller + " has " + tracked.lease
                                + (end == Long.MIN_VALUE
                                        ? ", which the server has ended"
                                        : " for " + (deadline - end) + " ns longer than the server keeps it"));
            }
        }
    }

    /** The client's clock stands still, so a fixed lease ends later. */
    void suspended(SimulatedClient client, long nanos) {
        for (List<TrackedLease> all : mayHold) {
            for (TrackedLease tracked : all) {
                if (tracked.caller.client == client) {
                    tracked.endsBy = tracked.endsBy == Long.MAX_VALUE ? Long.MAX_VALUE : tracked.endsBy + nanos;
                }
            }
        }
    }

    /** The holder makes a new request: an earlier denial does not count any more. */
    void asks(HolderId holder) {
        if (!denied.isEmpty()) {
            denied.remove(holder);
        }
    }

    /** The client receives a grant. True if the news of its loss came before. */
    boolean isLost(HolderId holder) {
        return denied.contains(holder) && lostBefore.add(holder);
    }

    /**
     * The client receives a reply. True if the news of a loss came since the previous one: the client may have decided on a request before
     * that, and have made it after that. The client does not take such a grant, and makes a request under a new id.
     */
    boolean wasLostSinceReply(HolderId holder) {
        return !lostSinceReply.isEmpty() && lostSinceReply.remove(holder);
    }

    /** The client was notified that the holder has lost the lock. */
    void denied(HolderId holder) {
        denied.add(holder);
        lostSinceReply.add(holder);
        deniedNow.add(holder);
    }

    /** After a step, no lease is active whose loss has reached its client. */
    void afterStep() {
        if (!deniedNow.isEmpty()) {
            deniedNow.forEach(holder -> leasesOf(holder).forEach(this::look));
            deniedNow.clear();
        }
    }

    /** A client was notified that one of its holders can't be confirmed, or that its backend came back, perhaps as another server. */
    void suspected(HolderId holder) {
        for (TrackedLease tracked : leasesOf(holder)) {
            if (tracked.state() == LeaseState.HELD) {
                throw world.violated(
                        "a loss or a doubt is not ignored", tracked.caller + " does not doubt " + tracked.lease);
            }
        }
    }

    /** True if a lease of this holder is SUSPECT. */
    boolean doubted(HolderId holder) {
        return leasesOf(holder).stream().anyMatch(tracked -> tracked.state() == LeaseState.SUSPECT);
    }

    /** The backend came back while a renewal was under way. Its answer may be that of a former server, so it confirms nothing. */
    void stillDoubted(HolderId holder) {
        for (TrackedLease tracked : leasesOf(holder)) {
            if (tracked.state() == LeaseState.HELD) {
                throw world.violated(
                        "a loss or a doubt is not ignored",
                        tracked.caller + " believes in " + tracked.lease
                                + " by a renewal from before its backend was there again");
            }
        }
    }

    /** The longest remaining time of a holder's leases. */
    Duration remaining(HolderId holder) {
        return leasesOf(holder).stream()
                .map(tracked -> tracked.remaining())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** None of them may last longer now. */
    void noLonger(HolderId holder, Duration than) {
        if (than.compareTo(SimulatedCaller.FOREVER) < 0 && remaining(holder).compareTo(than) > 0) {
            throw world.violated(
                    CONFIRMS_NOTHING,
                    leasesOf(holder).get(0).caller + " believes in a lease for " + remaining(holder)
                            + " that lasted for " + than);
        }
    }

    /** The leases from the grant of a holder. */
    List<TrackedLease> leasesOf(HolderId holder) {
        return mayHold.stream()
                .flatMap(List::stream)
                .filter(tracked -> tracked.granted.holder().equals(holder))
                .toList();
    }

    /** Time is about to pass, and a client has nothing left to do: it has acted on all its news. */
    void newsIsTaken(SimulatedClient client) {
        for (SimulatedCaller caller : client.callers) {
            TrackedLease tracked = caller.tracked;
            if (tracked != null
                    && tracked.active()
                    && world.now() + tracked.remaining().toNanos() > tracked.endsBy) {
                throw world.violated("a fixed lease ends in time", caller + " has " + tracked.lease + " for longer");
            }
            if (tracked != null && tracked.notified != null && tracked.state() != tracked.notified) {
                throw world.violated(
                        "observers hear each change at once",
                        caller + " observes " + tracked.lease + " and was told " + tracked.notified + " last");
            }
            if (tracked != null && signals.apply(client).missesRenewal(tracked.granted.holder()) && tracked.active()) {
                throw world.violated(
                        "signals are not dropped",
                        caller + " is connected again, or was recalled, and " + tracked.lease + " is not renewed");
            }
        }
    }

    /** The server has confirmed a fixed lease for longer. */
    void extended(TrackedLease tracked, Duration asked) {
        Duration least = asked.minusMillis(32);
        if (tracked.active() && tracked.remaining().compareTo(least) < 0) {
            throw world.violated("an extension lasts", tracked.caller + " has " + tracked.remaining() + " of " + asked);
        }
    }

    /** A lease can't be confirmed. */
    void doubted(SimulatedClient client, String lock) {
        // A holder whose max hold comes first does not renew the grant. A hand-off may pass it on with little time
        // left.
        if (!world.failuresExpected()
                && !client.left
                && !world.configuration.handOff()
                && !world.configuration.keeps()
                && !client.disturbed(world.now())) {
            throw world.violated(
                    "doubt has a reason", "c" + client.index + " doubts " + lock + ", and every request was answered");
        }
    }

    /** True if a caller of the same client has the lock that this one wants. */
    boolean heldByClient(SimulatedCaller caller) {
        for (TrackedLease tracked : mayHold.get(caller.name)) {
            if (tracked.caller.client == caller.client && tracked.active()) {
                return true;
            }
        }
        return false;
    }

    /** True if the holders and the waiters of the lock, this caller among them, would not all fit together. */
    public boolean isTooMuch(SimulatedCaller caller) {
        int left = caller.share.capacity();
        for (TrackedLease tracked : mayHold.get(caller.name)) {
            if (tracked.caller.tracked == tracked && tracked.active()) {
                left -= tracked.share.weight();
                if (left <= 0 || tracked.share.capacity() != caller.share.capacity()) {
                    return true;
                }
            }
        }
        for (SimulatedClient client : clients) {
            for (SimulatedCaller other : client.callers) {
                if (world.configuration.shared()
                        && other.phase == SimulatedCaller.Phase.WAITING
                        && other.name == caller.name) {
                    left -= other.share.weight();
                    if (left < 0 || other.share.capacity() != caller.share.capacity()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
