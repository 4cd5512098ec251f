package io.hasp.simulator;

import io.hasp.simulator.checks.ClientChecks;
import io.hasp.simulator.checks.InvariantChecks;
import io.hasp.simulator.clients.ClientDriver;
import io.hasp.simulator.clients.ClientMonitor;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.threads.EngineLogHandler;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.Violation;
import io.hasp.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run: the clients, the network and the server in one world. A run ends with its first violation. */
final class SimulationRun {
    private static final int MOST_REPLACED = 2;

    final World world;
    final ReferenceServer server;
    final Network network;
    final InvariantChecks checks;
    final SimulatedThreads threads;
    final List<SimulatedClient> clients = new ArrayList<>();
    private final ClientMonitor monitor;
    private final ClientDriver.Factory factory;
    private final @Nullable DistinctStateCounter states;
    private final long configurationHash;
    long newStates;
    private int replaced;

    SimulationRun(World world, ClientDriver.Factory factory, @Nullable DistinctStateCounter states) {
        this.world = world;
        this.factory = factory;
        this.states = states;
        this.server = new ReferenceServer(world::now, world.configuration);
        this.threads = new SimulatedThreads(world);
        this.network = new Network(world, threads, server);
        this.checks = new InvariantChecks(network, clients);
        this.monitor = new ClientChecks(checks);
        this.configurationHash = world.configuration.hashWithoutSteps();
        for (int i = 0; i < world.configuration.clients(); i++) {
            open(i, world.configuration.callers());
        }
    }

    SimulatedClient open(int index, int callers) {
        SimulatedClient client = new SimulatedClient(network, monitor, index, factory, callers);
        clients.add(client);
        return client;
    }

    /** Makes one step and checks its outcome. */
    void step(Runnable what) {
        world.beginStep();
        try {
            what.run();
            finishClosing();
            checks.afterStep();
        } catch (Violation e) {
            Violation first = world.violation();
            throw first == null ? e : first;
        } catch (Throwable e) {
            throw new Violation("nothing is thrown", e);
        }
        Violation violation = world.violation();
        if (violation != null) {
            throw violation;
        }
        EngineLogHandler.check(world);
        if (states != null && states.add(state())) {
            newStates++;
        }
    }

    /** A client begins to close, or goes on with that: mostly it waits for its work, and then leaves it. */
    void close(SimulatedClient client) {
        if (client.left || world.choices.oneIn(3)) {
            closeNow(client);
        } else if (client.closing) {
            leave(client);
        } else {
            beginClosing(client);
        }
    }

    private void beginClosing(SimulatedClient client) {
        world.note("c" + client.index + " is being closed, and waits for its work");
        client.closing = true;
        client.driver.beginClosingElections();
        checks.closing.leavesAlone(client, client.driver::beginClosing);
    }

    private void leave(SimulatedClient client) {
        if (!client.givesBack && !client.closed) {
            world.note("c" + client.index + " leaves its work");
            client.left = true;
            checks.closing.leavesAlone(client, client.driver::leave);
            checks.closing.left(client);
        }
    }

    /** A client gives everything back, and closes. */
    void closeNow(SimulatedClient client) {
        if (!client.givesBack && !client.closed) {
            world.note("c" + client.index + " is being closed");
            client.closing = true;
            client.givesBack = true;
            for (int name = 0; name < world.configuration.names(); name++) {
                checks.waits.held(client.index, name);
            }
            client.driver.beginClosingElections();
            client.driver.giveEverythingBack();
            checks.closing.holdsNothing(client);
        }
    }

    private void finishClosing() {
        for (int i = 0; i < clients.size(); i++) {
            SimulatedClient client = clients.get(i);
            boolean ends = client.closing && !client.closed && !client.backend.isPaused();
            if (ends && client.driver.settled()) {
                checks.settled(client);
            }
            if (ends && client.driver.closed()) {
                client.closed = true;
                world.note("c" + client.index + " is closed");
                if (!world.healed() && replaced++ < MOST_REPLACED) {
                    open(client.index, world.configuration.callers());
                }
            }
        }
    }

    /** A hash of everything but ids, tokens and moments. */
    private long state() {
        long hash = network.state() * 31 + server.state();
        for (SimulatedClient client : clients) {
            hash = hash * 31 + client.state();
        }
        return hash * 31 + configurationHash;
    }
}
