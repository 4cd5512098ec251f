package io.hasp.simulator;

import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of one run: the clients, the network, the server and the time between them. A run ends with its first violation. */
final class SimulationRun {
    private static final int MOST_REPLACED = 2;

    final Configuration configuration;
    final ChoiceSequence choices;
    final @Nullable EventTrace trace;
    final ReferenceServer server;
    final Network network;
    final InvariantChecks checks;
    final SimulatedThreads threads;
    final List<SimulatedClient> clients = new ArrayList<>();
    private final ClientDriver.Factory factory;
    private final @Nullable DistinctStateCounter states;
    private final String[] names;
    private final long configurationHash;
    private @Nullable Violation violation;
    private long now = Duration.ofSeconds(1).toNanos();
    /** From now on there are no faults, and steps are made in one order. */
    boolean healed;
    /** Whether something has happened so far that may make a call fail. */
    boolean failuresExpected;

    /** Whether the present part of a step runs on a thread that must not block. */
    private boolean mustNotBlock;

    /** How many messages were not simply delivered. */
    long messageFaults;

    /** Whether the server has taken a request late or twice: it may keep what the client can't know. */
    boolean lateCopies;

    long steps;
    long newStates;
    private int replaced;

    SimulationRun(
            Configuration configuration,
            ChoiceSequence choices,
            ClientDriver.Factory factory,
            @Nullable EventTrace trace,
            @Nullable DistinctStateCounter states) {
        this.configuration = configuration;
        this.choices = choices;
        this.factory = factory;
        this.trace = trace;
        this.states = states;
        this.server = new ReferenceServer(this::now, configuration);
        this.network = new Network(this, configuration);
        this.checks = new InvariantChecks(this, configuration);
        this.threads = new SimulatedThreads(this);
        this.configurationHash = configuration.hashWithoutSteps();
        this.names = new String[configuration.names()];
        for (int i = 0; i < names.length; i++) {
            names[i] = String.valueOf((char) ('a' + i));
        }
        for (int i = 0; i < configuration.clients(); i++) {
            open(i, configuration.callers());
        }
    }

    SimulatedClient open(int index, int callers) {
        SimulatedClient client = new SimulatedClient(this, index, factory, callers);
        clients.add(client);
        return client;
    }

    long now() {
        return now;
    }

    void advance(long nanos) {
        now += nanos;
    }

    String name(int name) {
        return names[name];
    }

    /** Runs a part of a step on a thread that must not block: a timer's, the backend's own, or one that was interrupted. */
    void withoutBlocking(Runnable part) {
        boolean outer = mustNotBlock;
        mustNotBlock = true;
        try {
            part.run();
        } finally {
            mustNotBlock = outer;
        }
    }

    /** Another thread goes on, on which that is allowed or not. Returns the former value. */
    boolean exchangeMustNotBlock(boolean now) {
        boolean before = mustNotBlock;
        mustNotBlock = now;
        return before;
    }

    /** A client makes a request, which may block unless its backend is closed. */
    void mayBlock(SimulatedBackend client) {
        if (mustNotBlock && !client.closed) {
            throw violated(
                    "no request is made where it must not block",
                    "c" + client.index + " makes one on a timer's thread, the backend's, or one that was interrupted");
        }
    }

    boolean paused(SimulatedBackend backend) {
        return backend.pausedUntil > now;
    }

    /** Notes a violation. The run ends after the present step even if the engine or a caller catches the exception. */
    Violation violated(String rule, String message) {
        Violation found = new Violation(rule, message);
        if (violation == null) {
            violation = found;
        }
        return found;
    }

    /** Makes one step and checks its outcome. */
    void step(Runnable what) {
        steps++;
        try {
            what.run();
            finishClosing();
            checks.leases.afterStep();
            checks.waits.noteHolders();
            checks.keeps.afterStep();
            checks.closing.afterStep();
            checks.failStop.afterStep();
        } catch (Violation e) {
            throw violation == null ? e : violation;
        } catch (Throwable e) {
            throw new Violation("nothing is thrown", e);
        }
        if (violation != null) {
            throw violation;
        }
        EngineLogHandler.check(this);
        if (states != null && states.add(state())) {
            newStates++;
        }
    }

    /** A client begins to close, or goes on with that: mostly it waits for its work, and then leaves it. */
    void close(SimulatedClient client) {
        if (client.left || choices.oneIn(3)) {
            closeNow(client);
        } else if (client.closing) {
            leave(client);
        } else {
            beginClosing(client);
        }
    }

    private void beginClosing(SimulatedClient client) {
        note("c" + client.index + " is being closed, and waits for its work");
        client.closing = true;
        checks.closing.leavesAlone(client, client.driver::beginClosing);
    }

    private void leave(SimulatedClient client) {
        if (!client.givesBack && !client.closed) {
            note("c" + client.index + " leaves its work");
            client.left = true;
            checks.closing.leavesAlone(client, client.driver::leave);
            checks.closing.left(client);
        }
    }

    /** A client gives everything back, and closes. */
    void closeNow(SimulatedClient client) {
        if (!client.givesBack && !client.closed) {
            note("c" + client.index + " is being closed");
            client.closing = true;
            client.givesBack = true;
            for (int name = 0; name < names.length; name++) {
                checks.waits.held(client.index, name);
            }
            client.driver.giveEverythingBack();
            checks.closing.holdsNothing(client);
        }
    }

    private void finishClosing() {
        for (int i = 0; i < clients.size(); i++) {
            SimulatedClient client = clients.get(i);
            if (client.closing && !client.closed && !paused(client.backend) && client.driver.closed()) {
                client.closed = true;
                note("c" + client.index + " is closed");
                if (!healed && replaced++ < MOST_REPLACED) {
                    open(client.index, configuration.callers());
                }
            }
        }
    }

    /** A short name for a holder id; empty without a trace. */
    String holder(HolderId holder) {
        return trace == null ? "" : trace.holder(holder);
    }

    /** The text of a reply to a request for a lock; empty without a trace. */
    String describe(Attempt attempt) {
        return trace == null ? "" : trace.describe(attempt);
    }

    /** The text of a reply to a release; empty without a trace. */
    String describe(HolderId holder, Released found) {
        return trace == null ? "" : trace.holder(holder) + ": " + found;
    }

    /** Writes a line into the trace, if there is one. */
    void note(String what) {
        if (trace != null) {
            trace.line(now, "", what);
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
