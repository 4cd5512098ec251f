package io.hasp.simulator.checks;

import io.hasp.LeaseState;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.TrackedLease;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.world.World;
import io.hasp.spi.HolderId;
import java.util.List;

/** Checks that a client that closes gives no lock back while its work runs, unless it is to give everything back. */
public final class ClosingChecks {
    private static final String STAYS = "closing gives no lock back while its work runs";
    private static final String NOT_RENEWED = "a lease that was left is renewed no more";

    private final World world;
    private final ReferenceServer server;
    private final List<SimulatedClient> clients;
    private final LeaseChecks leases;

    ClosingChecks(Network network, List<SimulatedClient> clients, LeaseChecks leases) {
        this.world = network.world;
        this.server = network.server;
        this.clients = clients;
        this.leases = leases;
    }

    private List<TrackedLease> activeOf(SimulatedClient client) {
        return leases.all().stream()
                .flatMap(List::stream)
                .filter(tracked -> tracked.caller.client == client && tracked.active())
                .toList();
    }

    /** A step of the close ends no lease. */
    public void leavesAlone(SimulatedClient client, Runnable step) {
        List<TrackedLease> before = activeOf(client);
        step.run();
        for (TrackedLease tracked : before) {
            if (!tracked.active()) {
                throw world.violated(STAYS, tracked.caller + " had " + tracked.lease);
            }
        }
    }

    /** The client has left its leases to their work. */
    public void left(SimulatedClient client) {
        activeOf(client).forEach(tracked -> tracked.left = true);
        look(client);
    }

    /** The client has begun to give everything back. */
    public void holdsNothing(SimulatedClient client) {
        for (TrackedLease tracked : activeOf(client)) {
            throw world.violated("a closing client holds nothing", tracked.caller + " has " + tracked.lease);
        }
    }

    /**
     * A client releases a holder. If it has closed, that ends no lease whose work runs. Until it leaves its work, a lease that is lost is
     * withdrawn as ever.
     */
    void releases(int index, HolderId holder) {
        for (TrackedLease tracked : leases.leasesOf(holder)) {
            SimulatedClient client = tracked.caller.client;
            boolean works = client.index == index && client.closing && !client.givesBack && tracked.inUse();
            boolean stays = tracked.active() || (tracked.left && !world.configuration.sessions());
            if (works && stays && server.end(tracked.granted) > world.now()) {
                throw world.violated(STAYS, tracked.caller + " works under " + tracked.lease + ", which is released");
            }
        }
    }

    /** After each step: what was left is in doubt, where the server ends it by itself. */
    void afterStep() {
        for (SimulatedClient client : clients) {
            if (client.left && !client.closed) {
                look(client);
            }
        }
    }

    private void look(SimulatedClient client) {
        if (world.configuration.sessions()) {
            return;
        }
        for (SimulatedCaller caller : client.callers) {
            TrackedLease tracked = caller.tracked;
            if (tracked != null
                    && tracked.left
                    && caller.options().fixedLease().isEmpty()
                    && caller.options().maxHold().isEmpty()
                    && tracked.state() == LeaseState.HELD) {
                throw world.violated(NOT_RENEWED, caller + " has " + tracked.lease);
            }
        }
    }
}
