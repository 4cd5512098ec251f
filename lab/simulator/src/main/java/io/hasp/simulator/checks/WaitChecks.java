package io.hasp.simulator.checks;

import io.hasp.BackendException;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Checks that waits end in time, that empty means contention, and that a failure means an outage. */
public final class WaitChecks {
    private static final long SLACK =
            Duration.ofMillis(50).plus(Configuration.RECALL_WITHIN).toNanos();
    private static final long OLDEST_EVIDENCE =
            Configuration.POLL.plus(Configuration.COMMAND_TIMEOUT).toNanos();
    private static final Duration SHORT_WAIT = Duration.ofMillis(400);
    private static final long LAST_LOOK = Duration.ofSeconds(1).toNanos();
    private static final long NEVER = Long.MIN_VALUE;

    private final World world;
    private final ReferenceServer server;
    private final List<SimulatedClient> clients;
    private final LeaseChecks leases;
    private final KeepChecks keeps;
    /** By client and name: the time of the latest refusal, and the latest time at which the client had the lock itself. */
    private final long[][] refusedAt;

    private final long[][] heldAt;
    /** By client and name: the releases without a reply. */
    private final int[][] releasing;
    /** The time at which each client last sent a release of each name, or received a reply to one. */
    private final long[][] releasedAt;

    /** By client and name: when another client had the lock, or waited for it on the server. */
    private final long[][] othersAt;

    private final LockName[] names;

    WaitChecks(Network network, List<SimulatedClient> clients, LeaseChecks leases, KeepChecks keeps) {
        this.world = network.world;
        this.server = network.server;
        this.clients = clients;
        this.leases = leases;
        this.keeps = keeps;
        Configuration configuration = world.configuration;
        refusedAt = never(configuration.clients(), configuration.names());
        heldAt = never(configuration.clients(), configuration.names());
        releasedAt = never(configuration.clients(), configuration.names());
        releasing = new int[configuration.clients() + 1][configuration.names()];
        othersAt = never(configuration.clients(), configuration.names());
        names = new LockName[configuration.names()];
    }

    /** Notes the holders and waiters of each lock, on the server and in the clients. */
    void noteHolders() {
        if (!faultless() && !onlyClient()) {
            return;
        }
        for (SimulatedClient client : clients) {
            for (int name = 0; name < names.length; name++) {
                if (server.isForOthers(lockName(name), client.backend)) {
                    othersAt[client.index][name] = world.now();
                }
            }
            for (SimulatedCaller caller : client.callers) {
                noteCompany(client, caller);
            }
        }
    }

    private LockName lockName(int name) {
        if (names[name] == null) {
            names[name] = new LockName(world.name(name));
        }
        return names[name];
    }

    /** Other callers of a client are holders as well, unless they have given back. */
    private static void noteCompany(SimulatedClient client, SimulatedCaller caller) {
        caller.inCompany |= client.mayHoldForCancelled();
        boolean leaving = caller.leavesFormerCall();
        boolean done = caller.phase == SimulatedCaller.Phase.IDLE || caller.phase == SimulatedCaller.Phase.RELEASING;
        for (SimulatedCaller other : client.callers) {
            other.inCompany |= other != caller && (leaving || (!done && other.name == caller.name));
        }
    }

    /** A request that is lost, comes twice or late may leave a grant on the server that the client does not see. */
    private boolean faultless() {
        return world.messageFaults() == 0 && !world.failuresExpected() && !world.configuration.retains();
    }

    /** Without another client and without a late copy of a request, the lock is the client's own, whatever has failed. */
    private boolean onlyClient() {
        return clients.size() == 1
                && !world.lateCopies()
                && !world.configuration.retains()
                && !world.configuration.broken();
    }

    private static long[][] never(int clients, int names) {
        long[][] all = new long[clients + 1][names];
        for (long[] one : all) {
            Arrays.fill(one, NEVER);
        }
        return all;
    }

    /** The client receives a reply to a request for a lock. */
    void answered(int client, Claim claim, Attempt attempt) {
        int name = SimulatedClient.nameOf(claim.name().value());
        if (attempt instanceof Attempt.Busy busy) {
            refusedAt[client][name] = world.now();
            refusedLate(client, name);
            if (busy.recalled() && !claim.queue()) {
                // It may try again.
                asksAnew(client, claim.name());
            }
        } else if (attempt instanceof Attempt.Granted) {
            heldAt[client][name] = world.now();
        }
    }

    /** A caller whose wait is over is refused, and its client gave something back since it came: one more request follows. */
    private void refusedLate(int client, int name) {
        for (SimulatedClient each : clients) {
            for (SimulatedCaller caller : each.callers) {
                boolean mayBeOwn = each.index == client && releasedAt[client][name] >= caller.joinedAt;
                if (mayBeOwn && caller.isLate(name) && !caller.refusedLate) {
                    caller.refusedLate = true;
                    caller.moreRequests++;
                }
            }
        }
    }

    /** The client sends a renewal of a share, or receives the reply: a part of the share may be given back by that. */
    void renews(int client, LockName lock) {
        releasedAt[client][SimulatedClient.nameOf(lock.value())] = world.now();
    }

    /** The client sends a release, or receives its reply. A caller that was refused because of that holder waits for the reply, and tries again. */
    void releases(int client, LockName lock, int more) {
        releasedAt[client][SimulatedClient.nameOf(lock.value())] = world.now();
        releasing[client][SimulatedClient.nameOf(lock.value())] += more;
        asksAnew(client, lock);
    }

    public void held(int client, int name) {
        heldAt[client][name] = world.now();
    }

    /** The client's clock stands still for that long, so its evidence is younger by that time. */
    void suspended(int client, long nanos) {
        for (int name = 0; name < refusedAt[client].length; name++) {
            refusedAt[client][name] += refusedAt[client][name] == NEVER ? 0 : nanos;
            heldAt[client][name] += heldAt[client][name] == NEVER ? 0 : nanos;
        }
    }

    /** A caller joins. Without a wait it may be refused for another caller of its client, which may lose the lock at this moment. */
    void joins(SimulatedCaller caller) {
        // A thread that was interrupted may not have left its former call.
        caller.inCompany = caller.thread.blocks();
        // The refusal may come in this very step.
        noteHolders();
        caller.heldByClient = leases.heldByClient(caller);
        if (caller.wait.isZero() && caller.heldByClient) {
            held(caller.client.index, caller.name);
        }
    }

    /** The outcome of a wait is that others hold the lock. */
    void empty(SimulatedCaller caller) {
        int client = caller.client.index;
        boolean shared = !caller.share.isExclusive();
        // A lease of the same client is no evidence about a share: only the server's reply is.
        long evidence = Math.max(refusedAt[client][caller.name], shared ? NEVER : heldAt[client][caller.name]);
        keeps.refused(caller);
        boolean alone = !caller.inCompany && othersAt[client][caller.name] < caller.joinedAt;
        if ((faultless() || onlyClient()) && !caller.disturbed && alone) {
            throw world.violated(
                    "empty means another holder",
                    caller + " was told that others hold " + world.name(caller.name)
                            + ", and since it came only its own client had it, and was giving it back");
        }
        boolean held = !shared && (leases.heldByClient(caller) || beginsLease(caller));
        if (!held && !caller.disturbed && evidence < oldestEvidence(caller)) {
            throw world.violated(
                    "empty means contention",
                    caller + " was told that others hold " + world.name(caller.name) + ", and no answer says so");
        }
    }

    /** True if another caller of the client has just got a kept grant whose lease has not begun. */
    private boolean beginsLease(SimulatedCaller caller) {
        return world.configuration.keeps() && caller.client.driver.holder(world.name(caller.name)) != null;
    }

    /**
     * The client makes one more request when half of the wait is left, or a second, unless one of its releases is unanswered. In
     * a short wait, a caller behind another relies on the other's last reply, which is a poll and an attempt old at most.
     */
    private long oldestEvidence(SimulatedCaller caller) {
        if (caller.wait.isZero() || (!caller.share.isExclusive() && caller.wait.compareTo(SHORT_WAIT) < 0)) {
            return caller.joinedAt;
        } else if (caller.wait.compareTo(SHORT_WAIT) < 0 || releasing[caller.client.index][caller.name] > 0) {
            return caller.joinedAt - OLDEST_EVIDENCE;
        }
        long wait = caller.wait.toNanos();
        return caller.joinedAt + wait - Math.min(wait / 2, LAST_LOOK);
    }

    /** A wait failed. Caller and client wait out an outage for as long as their times allow. */
    void failed(SimulatedCaller caller, BackendException why) {
        unavailable(caller, why);
        long least = Math.min(caller.wait.toNanos(), Configuration.UNAVAILABLE_AFTER.toNanos());
        boolean outage = why.kind() == BackendException.Kind.UNAVAILABLE && !caller.client.broken;
        if (outage && world.now() - caller.joinedAt < least) {
            throw world.violated("an outage is waited out", caller + " failed early: " + why);
        }
    }

    /** A call failed as it does in an outage. */
    void unavailable(SimulatedCaller caller, Throwable why) {
        if (!world.failuresExpected()) {
            throw world.violated(
                    "unavailable means an outage", caller + " failed, and every request was answered: " + why);
        }
    }

    /** A caller has given up. The next one behind it makes a request now, and waits for the reply. */
    void leaves(SimulatedCaller caller, int name) {
        for (SimulatedCaller other : caller.client.callers) {
            if (other != caller && other.isLate(name)) {
                other.moreRequests++;
            }
        }
    }

    /** The client makes one more request: a grant was lost on its way, the holder id is gone, or a release found nothing. */
    void asksAnew(int client, LockName lock) {
        int name = SimulatedClient.nameOf(lock.value());
        for (SimulatedClient each : clients) {
            for (SimulatedCaller caller : each.callers) {
                if (each.index == client && caller.isLate(name)) {
                    caller.moreRequests++;
                }
            }
        }
    }

    /**
     * A wait ends with the reply to the request that is under way at its end, or to the request that follows from it. If the client
     * was disturbed after the end of the wait, the time counts from the client's recovery.
     */
    void inTime(SimulatedCaller caller) {
        SimulatedClient client = caller.client;
        if (caller.wait.equals(SimulatedCaller.FOREVER) || !client.executor.isQuick()) {
            return;
        }
        long end = caller.joinedAt + caller.wait.toNanos();
        long latest = caller.disturbed ? Math.max(end, client.recoveredAt()) : end;
        int requests = (world.configuration.oneFlight() ? 1 : 2) * (1 + caller.moreRequests);
        if (world.now() > latest + requests * Configuration.COMMAND_TIMEOUT.toNanos() + SLACK) {
            throw world.violated(
                    "waits end in time",
                    caller + " waited " + Duration.ofNanos(world.now() - caller.joinedAt) + " of " + caller.wait);
        }
    }
}
