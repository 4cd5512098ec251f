package io.hasp.simulator.checks;

import io.hasp.simulator.clients.KeptLock;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.network.SimulatedBackend;
import io.hasp.simulator.server.Connection;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.server.ServerGrant;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that an idle grant that is kept is still the client's, blocks other clients no longer than configured, and is used again only then. */
public final class KeepChecks {
    private static final long SLACK = Duration.ofMillis(100).toNanos();
    private static final long A_POLL = Configuration.POLL.toNanos() + SLACK;

    /** One client and lock. */
    private static final class Idle {
        KeptLock lock;
        long since;
        long endsAt;
        long deadline;

        Idle(KeptLock lock, long now) {
            this.lock = lock;
            this.since = now;
        }
    }

    private final World world;
    private final Network network;
    private final ReferenceServer server;
    private final List<SimulatedClient> clients;
    private final @Nullable Idle[][] idle;
    /** By name: how long others have waited for an idle lock without anything being under way, and the faults before that. */
    private final long[] blocked;

    private final long[] faultsBefore;
    /** The holders whose clock stood still since the server last confirmed what they hold or keep. */
    private final Set<HolderId> suspended = new HashSet<>();

    KeepChecks(Network network, List<SimulatedClient> clients) {
        this.world = network.world;
        this.network = network;
        this.server = network.server;
        this.clients = clients;
        Configuration configuration = world.configuration;
        this.idle = new Idle[configuration.clients() + 1][configuration.names()];
        this.blocked = new long[configuration.names()];
        this.faultsBefore = new long[configuration.names()];
    }

    public boolean keepsAny(SimulatedClient client) {
        for (Idle kept : idle[client.index]) {
            if (kept != null) {
                return true;
            }
        }
        return false;
    }

    /** After each step: what is kept is the client's on the server. */
    void afterStep() {
        if (!world.configuration.keeps()) {
            return;
        }
        for (SimulatedClient client : clients) {
            for (int name = 0; !client.closed && name < world.configuration.names(); name++) {
                look(client, name);
            }
        }
    }

    private void look(SimulatedClient client, int name) {
        KeptLock now = client.driver.kept(world.name(name));
        Idle before = idle[client.index][name];
        if (before != null && (now == null || !now.holder().equals(before.lock.holder()))) {
            idle[client.index][name] = null;
            ended(client, name, before);
        }
        if (now == null) {
            return;
        }
        Idle present = idle[client.index][name];
        if (present == null) {
            present = new Idle(now, world.now());
            idle[client.index][name] = present;
        } else if (now.kept() + world.now() > present.endsAt) {
            // It was used in between.
            present.since = world.now();
        }
        present.lock = now;
        present.endsAt = now.kept() + world.now();
        present.deadline = now.remaining() + world.now();
        if (client.closing) {
            throw world.violated("a closing client holds nothing", describe(client, name) + ": " + now);
        }
        isOnServer(client, name, now);
    }

    private void ended(SimulatedClient client, int name, Idle before) {
        HolderId user = client.driver.holder(world.name(name));
        if (user == null || !user.equals(before.lock.holder())) {
            return;
        }
        ServerGrant granted = server.granted(before.lock.serverToken());
        long least = granted == null ? 0 : granted.grant.validity().toNanos() / 3;
        if (before.deadline - world.now() <= least) {
            throw world.violated(
                    "a kept grant is used while most of its time is left",
                    describe(client, name) + ": " + (before.deadline - world.now()) + " ns are left");
        }
        if (suspended.contains(user)) {
            throw world.violated(
                    "a suspension is noticed before a kept grant is used",
                    describe(client, name) + ": it was suspended after the server confirmed " + world.holder(user));
        }
    }

    /** The client receives the server's confirmation of a grant. */
    void confirmed(HolderId holder) {
        suspended.remove(holder);
    }

    private String describe(SimulatedClient client, int name) {
        return "c" + client.index + " and " + world.name(name);
    }

    private void isOnServer(SimulatedClient client, int name, KeptLock kept) {
        ServerGrant granted = server.granted(kept.serverToken());
        if (granted == null || granted.revoked || kept.remaining() <= 0 || suspended.contains(kept.holder())) {
            return;
        }
        long end = server.end(granted);
        if (end == Long.MIN_VALUE || world.now() + kept.remaining() > end) {
            throw world.violated(
                    "a kept grant ends before the server's",
                    describe(client, name) + ": " + kept + ", on the server until "
                            + (end == Long.MIN_VALUE ? "before" : "" + (end - world.now())));
        }
        boolean heard = client.backend.subscription != SimulatedBackend.Subscription.LOST;
        if (!granted.recallable || !heard) {
            throw world.violated("what is kept can be recalled", describe(client, name) + ": " + kept);
        }
    }

    /** Time is about to pass, and the client has nothing left to do. */
    void beforeTimePasses(SimulatedClient client) {
        for (int name = 0; world.configuration.keeps() && name < world.configuration.names(); name++) {
            Idle kept = idle[client.index][name];
            if (kept != null && world.now() > kept.since + Configuration.KEEP.toNanos()) {
                throw world.violated(
                        "nothing is kept for longer than was said",
                        describe(client, name) + ": for " + (world.now() - kept.since));
            }
        }
    }

    /**
     * Time has passed. A waiter loses none of it to a lock that is only kept, if nothing is under way; but a poll for each message that was
     * lost, and for one after the keeper or the waiter were cut off or did not run.
     */
    public void timePassed(long nanos, boolean nothingUnderWay) {
        for (int name = 0; world.configuration.keeps() && name < world.configuration.names(); name++) {
            List<Connection> waiting = server.waitingFor(new LockName(world.name(name)));
            if (waiting.isEmpty()) {
                blocked[name] = 0;
                faultsBefore[name] = world.messageFaults();
            } else if (mayNotHear(name, waiting)) {
                blocked[name] = 0;
                faultsBefore[name] = world.messageFaults() - 1;
            } else if (nothingUnderWay && keeps(name, waiting)) {
                blocked[name] += nanos;
                if (blocked[name] > (world.messageFaults() - faultsBefore[name]) * A_POLL) {
                    throw world.violated(
                            "a waiter gets a lock that is only kept",
                            world.name(name) + " is kept and waited for, without a message, for " + blocked[name]);
                }
            }
        }
    }

    /** True if a waiter, or a client that is recalled for the waiters, can't act as it should. */
    private boolean mayNotHear(int name, List<Connection> waiting) {
        for (SimulatedClient client : clients) {
            SimulatedBackend waiter = client.backend;
            if (waiting.contains(waiter) && (waiter.cut || waiter.isPaused())) {
                return true;
            }
        }
        for (ServerGrant granted : server.recallable(new LockName(world.name(name)))) {
            SimulatedClient keeper = clientOf(granted);
            if (keeper == null || !hears(keeper)) {
                return true;
            }
        }
        return network.outage;
    }

    private @Nullable SimulatedClient clientOf(ServerGrant granted) {
        for (SimulatedClient client : clients) {
            if (client.backend == granted.session.client && !client.closing) {
                return client;
            }
        }
        return null;
    }

    /** True if the server keeps an idle client's lock from a waiter of another client. */
    private boolean keeps(int name, List<Connection> waiting) {
        for (ServerGrant granted : server.recallable(new LockName(world.name(name)))) {
            SimulatedClient keeper = clientOf(granted);
            boolean used = keeper == null
                    || granted.holder().equals(keeper.driver.holder(world.name(name)))
                    || keeper.callers.stream().anyMatch(caller -> mayUse(caller, name) || stops(caller, granted))
                    || keeper.participants.stream().anyMatch(participant -> participant.mayUse(name));
            if (!used && waiting.stream().anyMatch(waiter -> waiter != granted.session.client)) {
                return true;
            }
        }
        return false;
    }

    /** Its request may have been granted, or its lease may begin soon. */
    private static boolean mayUse(SimulatedCaller caller, int name) {
        return caller.name == name && caller.phase == SimulatedCaller.Phase.WAITING;
    }

    /** Its work was interrupted as the lease was over, and has a while to stop. */
    private static boolean stops(SimulatedCaller caller, ServerGrant granted) {
        TrackedLease tracked = caller.tracked;
        return tracked != null && tracked.granted == granted && tracked.work != null && tracked.work.stops();
    }

    private boolean hears(SimulatedClient keeper) {
        return !keeper.disturbed(world.now())
                && !keeper.backend.cut
                && !keeper.backend.isPaused()
                && !network.outage
                && keeper.backend.subscription == SimulatedBackend.Subscription.LIVE;
    }

    /** True if the server has the grant, too: an administrator may have ended it. */
    private boolean isPresent(KeptLock kept) {
        ServerGrant granted = server.granted(kept.serverToken());
        return granted != null && server.end(granted) != Long.MIN_VALUE;
    }

    /**
     * A try was refused: that needs a lock that is in use, or some time without an answer of the client that may keep it. A client that
     * was suspended may assume a lease of its own.
     */
    void refused(SimulatedCaller caller) {
        if (!caller.wait.isZero()
                || caller.heldByClient
                || caller.disturbed
                || world.now() - caller.joinedAt >= Configuration.RECALL_WITHIN.toNanos()
                || !world.configuration.keeps()) {
            return;
        }
        for (SimulatedClient client : clients) {
            Idle kept = idle[client.index][caller.name];
            if (kept != null
                    && client != caller.client
                    && kept.since < caller.joinedAt
                    && isPresent(kept.lock)
                    && client.driver.kept(world.name(caller.name)) != null
                    && hears(client)) {
                throw world.violated(
                        "a lock that is only kept is not busy",
                        caller + " was refused " + world.name(caller.name) + ", which c" + client.index + " keeps");
            }
        }
    }

    /** The client's machine is suspended, and its clock stands still: only fencing tokens protect the leases that it has then. */
    void suspended(SimulatedClient client, long nanos) {
        // Its connections have ended in this step, and what a failed call for several locks had is kept now.
        afterStep();
        for (ServerGrant granted : server.grantsOf(client.backend)) {
            if (client.driver.kept(granted.grant.claim().name().value()) == null) {
                granted.revoked = true;
                suspended.add(granted.holder());
            }
        }
        for (int name = 0; name < world.configuration.names(); name++) {
            Idle kept = idle[client.index][name];
            if (kept != null) {
                suspended.add(kept.lock.holder());
                kept.since += nanos;
                kept.endsAt += nanos;
            }
        }
    }
}
