package io.hasp.simulator.checks;

import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.network.BackendMonitor;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.world.World;
import io.hasp.spi.HolderId;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** All checks of what must hold at every moment. {@code QuiescenceCheck} checks what must hold when a run is quiescent. */
public final class InvariantChecks {
    public final LeaseChecks leases;
    public final TokenChecks tokens;
    public final WaitChecks waits;
    public final LateCallerChecks lateCallers;
    public final LeaseEndChecks ends;
    public final KeepChecks keeps;
    public final ClosingChecks closing;
    private final FailStopChecks failStop;
    private final World world;
    private final IdentityHashMap<SimulatedClient, BackendChecks> backends = new IdentityHashMap<>();

    /** For the clients that are in the list at the time of each check. */
    public InvariantChecks(Network network, List<SimulatedClient> clients) {
        world = network.world;
        tokens = new TokenChecks(world);
        leases = new LeaseChecks(network, clients, tokens, client -> backendOf(client).pendingSignals);
        keeps = new KeepChecks(network, clients);
        waits = new WaitChecks(network, clients, leases, keeps);
        lateCallers = new LateCallerChecks(network);
        ends = new LeaseEndChecks(world, leases, waits);
        closing = new ClosingChecks(network, clients, leases);
        failStop = new FailStopChecks(world, clients);
    }

    BackendMonitor opens(SimulatedClient client) {
        BackendChecks backend = new BackendChecks(client.index, world, this);
        backends.put(client, backend);
        return backend;
    }

    private BackendChecks backendOf(SimulatedClient client) {
        return Objects.requireNonNull(backends.get(client));
    }

    /** The holders that a client still has to release. */
    public OutstandingReleases outstanding(SimulatedClient client) {
        return backendOf(client).outstanding;
    }

    /** The client has nothing left to do, and ends. */
    public void settled(SimulatedClient client) {
        Set<HolderId> requested = backendOf(client).outstanding.requested();
        if (!requested.isEmpty()) {
            throw world.violated(
                    "closing waits for each release",
                    "c" + client.index + " ends, and no answer came for " + requested);
        }
    }

    /** After each step of a run. */
    public void afterStep() {
        leases.afterStep();
        waits.noteHolders();
        keeps.afterStep();
        closing.afterStep();
        failStop.afterStep();
    }

    /** Time is about to pass, and an undisturbed client has nothing left to do. */
    public void beforeTimePasses(SimulatedClient client) {
        leases.newsIsTaken(client);
        keeps.beforeTimePasses(client);
        if (backendOf(client).pendingSignals.missesRequest() && !client.leavesCall()) {
            throw world.violated(
                    "signals are not dropped",
                    "c" + client.index + " was told that it may get a lock, and waits for its poll");
        }
    }
}
