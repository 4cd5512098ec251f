package io.hasp.simulator;

/** Checks the ending of a client that an error has ended: it holds nothing, and its backend is closed, from that moment on. */
final class FailStopChecks {
    private final SimulationRun run;

    FailStopChecks(SimulationRun run) {
        this.run = run;
    }

    void afterStep() {
        for (SimulatedClient client : run.clients) {
            if (client.broken) {
                look(client);
            }
        }
    }

    private void look(SimulatedClient client) {
        if (!client.driver.failed()) {
            throw run.violated("an error ends the client", "c" + client.index + " goes on");
        }
        if (!client.backend.closed) {
            throw run.violated("a failed client closes its backend", "the one of c" + client.index + " is open");
        }
        for (SimulatedCaller caller : client.callers) {
            if (caller.tracked != null && caller.tracked.active()) {
                throw run.violated("a failed client holds nothing", caller + " has " + caller.tracked.lease);
            }
        }
    }
}
