package io.hasp.simulator.checks;

import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.world.World;
import java.util.List;

/** Checks the ending of a client that an error has ended: it holds nothing, and its backend is closed, from that moment on. */
final class FailStopChecks {
    private final World world;
    private final List<SimulatedClient> clients;

    FailStopChecks(World world, List<SimulatedClient> clients) {
        this.world = world;
        this.clients = clients;
    }

    void afterStep() {
        for (SimulatedClient client : clients) {
            if (client.broken) {
                look(client);
            }
        }
    }

    private void look(SimulatedClient client) {
        if (!client.driver.failed()) {
            throw world.violated("an error ends the client", "c" + client.index + " goes on");
        }
        if (!client.backend.closed) {
            throw world.violated("a failed client closes its backend", "the one of c" + client.index + " is open");
        }
        for (SimulatedCaller caller : client.callers) {
            if (caller.tracked != null && caller.tracked.active()) {
                throw world.violated("a failed client holds nothing", caller + " has " + caller.tracked.lease);
            }
        }
    }
}
