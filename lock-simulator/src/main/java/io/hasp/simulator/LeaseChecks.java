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
    private final World world;
    private final TokenChecks tokens;
    /** Who may hold a name, by what was seen last. */
    private final List<List<Belief>> believing = new ArrayList<>();

    private final List<HolderId> deniedNow = new ArrayList<>();
    private final Set<HolderId> denied = new HashSet<>();
    /** Those whose loss their client heard of since the latest answer to them. */
    private final Set<HolderId> lostSinceAnswer = new HashSet<>();
    /** Whose grant was heard of after its loss. */
    private final Set<HolderId> lostBefore = new HashSet<>();

    LeaseChecks(World world, TokenChecks tokens, int names) {
        this.world = world;
        this.tokens = tokens;
        for (int i = 0; i < names; i++) {
            believing.add(new ArrayList<>());
        }
    }

    /** All that may be believed, and what was believed a while ago. */
    List<List<Belief>> all() {
        return believing;
    }

    /** A caller has a lease. */
    Belief given(Caller caller, Lease lease) {
        ReferenceServer.Granted granted = world.server.granted(lease.fencingToken() / TokenChecks.PER_GRANT);
        if (granted == null) {
            throw world.violated("a lease was granted", caller + " was given " + lease + ", which no server granted");
        }
        if (lostBefore.contains(granted.grant.claim().holder())) {
            throw world.violated("a lost grant is not given out", caller + " was given " + lease);
        }
        Belief belief = new Belief(caller, lease, granted);
        caller.options().fixedLease().ifPresent(fixed -> belief.endsBy = world.now() + fixed.toNanos());
        List<Belief> all = believing.get(caller.name);
        if (belief.active()) {
            if (caller.client.closing) {
                throw world.violated("a client that closes holds nothing", caller + " was given " + lease);
            }
            isAlone(belief, all);
            tokens.grows(belief);
        }
        all.add(belief);
        look(belief);
        return belief;
    }

    private void isAlone(Belief belief, List<Belief> all) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Belief other = all.get(i);
            if (!other.active()) {
                all.remove(i);
            } else if (!other.granted.revoked && !belief.granted.revoked) {
                throw world.violated(
                        "one holder",
                        belief.caller + " was given " + belief.lease + " while " + other.caller + " has "
                                + other.lease);
            }
        }
    }

    /** What a client believes, the server keeps, until the client's own deadline at least. */
    void look(Belief belief) {
        boolean toldOfLoss = !denied.isEmpty()
                && denied.contains(belief.granted.grant.claim().holder())
                && !belief.caller.client.recovers(world.now());
        if (toldOfLoss && belief.active()) {
            throw world.violated(
                    "news is not dropped",
                    belief.caller + " believes in " + belief.lease + ", and its client was told that it is gone");
        }
        if (belief.active() && !belief.granted.revoked) {
            long deadline = world.now() + belief.lease.remaining().toNanos();
            long end = world.server.end(belief.granted);
            if (deadline > end) {
                throw world.violated(
                        "belief ends first",
                        belief.caller + " believes in " + belief.lease
                                + (end == Long.MIN_VALUE
                                        ? ", which the server has ended"
                                        : " for " + (deadline - end) + " ns longer than the server keeps it"));
            }
        }
    }

    /** The client has begun to close. */
    void closing(SimulatedClient client) {
        for (List<Belief> all : believing) {
            for (Belief belief : all) {
                if (belief.caller.client == client && belief.active()) {
                    throw world.violated("a client that closes holds nothing", belief.caller + " has " + belief.lease);
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
     * The client hears an answer; whether it has heard of a loss since the one before. It may have decided to ask before that, and
     * have asked after it: it does not take such a grant, and asks under another id.
     */
    boolean lostSinceAnswer(HolderId holder) {
        return !lostSinceAnswer.isEmpty() && lostSinceAnswer.remove(holder);
    }

    /** The client was told for good that the holder does not have the lock. */
    void denied(HolderId holder) {
        denied.add(holder);
        lostSinceAnswer.add(holder);
        deniedNow.add(holder);
    }

    /** After a step: whoever heard of a loss believes no more. */
    void afterStep() {
        if (!deniedNow.isEmpty()) {
            deniedNow.forEach(holder -> beliefsOf(holder).forEach(this::look));
            deniedNow.clear();
        }
    }

    /** A client heard that a holder of its can't be confirmed. */
    void suspected(HolderId holder) {
        for (Belief belief : beliefsOf(holder)) {
            if (belief.lease.state() == LeaseState.HELD) {
                throw world.violated("news is not dropped", belief.caller + " does not doubt " + belief.lease);
            }
        }
    }

    /** Those that stand on the grant of a holder. */
    List<Belief> beliefsOf(HolderId holder) {
        return believing.stream()
                .flatMap(List::stream)
                .filter(belief -> belief.granted.grant.claim().holder().equals(holder))
                .toList();
    }

    /** Time is about to pass, and a client has nothing left to do: what it heard has had its effect. */
    void newsIsTaken(SimulatedClient client) {
        for (Caller caller : client.callers) {
            Belief belief = caller.belief;
            if (belief != null
                    && belief.active()
                    && world.now() + belief.lease.remaining().toNanos() > belief.endsBy) {
                throw world.violated("a fixed lease ends in time", caller + " has " + belief.lease + " for longer");
            }
            if (belief != null && belief.told != null && belief.lease.state() != belief.told) {
                throw world.violated(
                        "observers hear each change at once",
                        caller + " observes " + belief.lease + " and was told " + belief.told + " last");
            }
            if (belief != null
                    && caller.renews()
                    && client.backend.wakes.forgotten(
                            belief.granted.grant.claim().holder())
                    && belief.active()) {
                throw world.violated(
                        "signals are not dropped",
                        caller + " is connected again, and " + belief.lease + " is not renewed");
            }
        }
    }

    /** The server has confirmed a fixed lease for longer. */
    void extended(Belief belief, Duration asked) {
        Duration least = asked.minusMillis(32);
        if (belief.active() && belief.lease.remaining().compareTo(least) < 0) {
            throw world.violated(
                    "an extension lasts", belief.caller + " has " + belief.lease.remaining() + " of " + asked);
        }
    }

    /** A lease can't be confirmed. */
    void doubted(SimulatedClient client, String lock) {
        // A grant that was not renewed, since its holder's max hold came first, may be passed on with little time left.
        if (!world.network.failing && !world.configuration.handOff() && !client.disturbed(world.now())) {
            throw world.violated(
                    "doubt has a reason", "c" + client.index + " doubts " + lock + ", and every request was answered");
        }
    }

    /** Whether another caller of that one's client has the lock it wants. */
    boolean heldByClient(Caller caller) {
        for (Belief belief : believing.get(caller.name)) {
            if (belief.caller.client == caller.client && belief.active()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a caller has the lock, so that others wait for a reason. */
    boolean somebodyHolds(int name) {
        for (Belief belief : believing.get(name)) {
            if (belief.caller.belief == belief && belief.active()) {
                return true;
            }
        }
        return false;
    }
}
