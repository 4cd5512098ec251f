package io.hasp.simulator;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientClosedException;
import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run: everything that can happen next, and the choice among it. What a client does takes no time unless the client is
 * paused; time moves from one thing that is due to the next, or part of the way.
 */
final class SimulationRun {
    private static final long MILLISECOND = 1_000_000;
    private static final int MOST_REPLACED = 2;
    /** Each caller and each lease has one. */
    private static final int MOST_TIMERS_AT_ONCE = 100;

    final Configuration configuration;
    final ChoiceSequence choices;
    final @Nullable EventTrace trace;
    final ReferenceServer server;
    final Network network;
    final InvariantChecks checks;
    final List<SimulatedClient> clients = new ArrayList<>();
    private final ClientDriver.Factory factory;
    private final @Nullable DistinctStateCounter states;
    private final String[] names;
    private final long kind;
    private @Nullable Violation violation;
    private long now = 1_000 * MILLISECOND;
    /** From now on nothing goes wrong, and what can happen happens in one order. */
    boolean healed;
    /** Whether something has happened so far that may make a call fail. */
    boolean failuresExpected;

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
        this.kind = configuration.kind();
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

    String name(int name) {
        return names[name];
    }

    boolean paused(SimulatedBackend backend) {
        return backend.pausedUntil > now;
    }

    /** Notes that something does not hold; the run ends after the present step even if this is caught on the way. */
    Violation violated(String rule, String message) {
        Violation found = new Violation(rule, message);
        if (violation == null) {
            violation = found;
        }
        return found;
    }

    private void note(String what) {
        if (trace != null) {
            trace.line(now, "", what);
        }
    }

    /** Chosen steps, until there were enough. */
    void chaos() {
        for (int i = 0; i < configuration.steps() && !choices.exhausted(); i++) {
            step(this::chosen);
        }
    }

    /** Makes one step and looks at what came of it. */
    void step(Runnable what) {
        steps++;
        try {
            what.run();
            closings();
            checks.leases.afterStep();
        } catch (Violation e) {
            throw violation == null ? e : violation;
        } catch (Throwable e) {
            throw new Violation("nothing is thrown", e);
        }
        EngineLogHandler.check(this);
        if (violation != null) {
            throw violation;
        }
        if (states != null && states.add(state())) {
            newStates++;
        }
    }

    private void chosen() {
        int kind = choices.below(32);
        if (kind < 12) {
            progress();
        } else if (kind < 18) {
            deliver();
        } else if (kind < 26) {
            act();
        } else if (kind < 31 || configuration.faults() == 0) {
            pass();
        } else {
            Fault.of(choices, configuration.broken()).happen(this);
        }
    }

    /** What a running client does next; else a message arrives; else time passes. */
    void progress() {
        if (!runOne() && !deliverOne(1)) {
            advance();
        }
    }

    private void deliver() {
        if (!deliverOne(6)) {
            progress();
        }
    }

    private boolean deliverOne(int among) {
        Message message = network.take(among);
        if (message != null) {
            network.deliver(message);
        }
        return message != null;
    }

    private void pass() {
        if (!runOne()) {
            advance();
        }
    }

    private void act() {
        SimulatedClient client = clients.get(choices.below(clients.size()));
        if (client.callers.isEmpty() || paused(client.backend)) {
            progress();
            return;
        }
        if (choices.oneIn(120)) {
            close(client);
        } else if (choices.oneIn(40)) {
            raiseFloor(client);
        } else if (!client.callers.get(choices.below(client.callers.size())).act()) {
            progress();
        }
    }

    /** One of the things that running clients can do at this moment. */
    private boolean runOne() {
        int possible = 0;
        for (SimulatedClient client : clients) {
            possible += paused(client.backend) ? 0 : things(client);
        }
        boolean timeout = network.nextTimeout() <= now;
        if (possible == 0) {
            return timeout && network.timeOut();
        }
        int chosen = healed ? 0 : choices.below(timeout ? possible + 1 : possible);
        if (chosen == possible && network.timeOut()) {
            return true;
        }
        chosen %= possible;
        for (SimulatedClient client : clients) {
            int here = paused(client.backend) ? 0 : things(client);
            if (chosen < here) {
                run(client, chosen);
                return true;
            }
            chosen -= here;
        }
        throw new AssertionError("counted before");
    }

    private int things(SimulatedClient client) {
        int things = (client.executor.size() > 0 ? 1 : 0) + (client.timing.nextDue() <= now ? 1 : 0);
        for (SimulatedCaller caller : client.callers) {
            things += caller.ready() ? 1 : 0;
        }
        return things;
    }

    private void run(SimulatedClient client, int thing) {
        int left = thing;
        if (client.executor.size() > 0 && left-- == 0) {
            int index = healed || client.executor.size() == 1 || !choices.oneIn(3)
                    ? 0
                    : choices.below(client.executor.size());
            contained(client.executor.take(index));
            return;
        }
        if (client.timing.nextDue() <= now && left-- == 0) {
            Runnable timer = client.timing.take();
            if (timer != null) {
                contained(timer);
            }
            if (client.timing.firedAtOnce() > MOST_TIMERS_AT_ONCE) {
                throw violated("nothing turns round for ever", "c" + client.index + " sets timers for no time at all");
            }
            return;
        }
        for (SimulatedCaller caller : client.callers) {
            if (caller.ready() && left-- == 0) {
                caller.step();
                return;
            }
        }
    }

    /** Memory runs out in a client while it takes a timer or an answer. */
    void runOutOfMemory(SimulatedClient client) {
        failuresExpected = true;
        client.backend.ranOutOfMemory = true;
        disturb(client);
        client.driver.withoutMemory(
                1 + choices.below(4),
                () -> contained(() -> {
                    Runnable timer = client.timing.nextDue() <= now ? client.timing.take() : null;
                    if (timer != null) {
                        timer.run();
                    } else {
                        deliverOne(1);
                    }
                }));
    }

    /** As on a thread of its own, where what the user's code throws, or a lack of memory, ends nothing. */
    private static void contained(Runnable task) {
        try {
            task.run();
        } catch (UserCodeException | OutOfMemoryError expected) {
            // Goes to the thread's handler.
        }
    }

    /** Moves the clock to what is due next, or a part of the way. */
    void advance() {
        clients.forEach(this::nothingIsUndone);
        heartbeats();
        long next = Math.min(server.sweep(), network.nextTimeout());
        for (SimulatedClient client : clients) {
            long due = client.timing.nextDue();
            next = Math.min(next, paused(client.backend) ? client.backend.pausedUntil : due);
            for (SimulatedCaller caller : client.callers) {
                next = caller.thread.suspendedUntil > now ? Math.min(next, caller.thread.suspendedUntil) : next;
            }
        }
        long distance = next == Long.MAX_VALUE ? 100 * MILLISECOND : Math.max(0, next - now);
        int quarters = healed ? 0 : choices.below(6);
        now += quarters == 0 || quarters > 3 ? Math.max(1, distance) : Math.max(1, distance / 4 * quarters);
        heartbeats();
        server.sweep();
    }

    private void nothingIsUndone(SimulatedClient client) {
        if (client.closing || client.disturbed(now)) {
            return;
        }
        checks.leases.newsIsTaken(client);
        if (client.backend.monitor.pendingSignals.missesRequest()) {
            throw violated(
                    "signals are not dropped",
                    "c" + client.index + " was told that it may get a lock, and waits for its poll");
        }
    }

    /** A session goes on for as long as its client runs and is connected. */
    private void heartbeats() {
        for (SimulatedClient client : clients) {
            if (!paused(client.backend) && !client.backend.cut && !client.closed && !network.outage) {
                server.heartbeat(client.backend.session());
            }
        }
    }

    void close(SimulatedClient client) {
        if (!client.closing) {
            note("c" + client.index + " is being closed");
            client.closing = true;
            for (int name = 0; name < names.length; name++) {
                checks.waits.held(client.index, name);
            }
            client.driver.close();
            checks.leases.closing(client);
        }
    }

    private void closings() {
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

    private void raiseFloor(SimulatedClient client) {
        int name = choices.below(configuration.names());
        long token = checks.tokens.floorAbove(name, 1 + choices.below(3));
        note("c" + client.index + " raises the floor of " + names[name] + " to " + token);
        client.backend.atOnce = true;
        try {
            client.driver.client().lock(names[name]).raiseTokenFloor(token);
            checks.tokens.floorRaised(client.index, name, token, checks.tokens.memory());
        } catch (BackendUnavailableException | ClientClosedException e) {
            note("not raised: " + e.getMessage());
        } finally {
            client.backend.atOnce = false;
        }
    }

    void pause(SimulatedClient client, long nanos) {
        note("c" + client.index + " is paused for " + nanos / MILLISECOND + " ms");
        client.backend.pausedUntil = now + nanos;
        // A grant that came too late to be of use counts as a failure.
        failuresExpected = true;
        disturb(client);
    }

    /** A thread that could go on does not, while the rest of its client does. */
    void suspend(SimulatedCaller caller, long nanos) {
        note("the thread of " + caller + " does not run for " + nanos / MILLISECOND + " ms");
        caller.thread.suspendedUntil = now + nanos;
        failuresExpected = true;
        disturb(caller.client);
    }

    void disturb(SimulatedClient client) {
        client.disturbedAt = Math.max(now, client.backend.pausedUntil);
        for (SimulatedCaller caller : client.callers) {
            caller.disturbed = true;
            client.disturbedAt = Math.max(client.disturbedAt, caller.thread.suspendedUntil);
        }
    }

    void revoke(int name, boolean told) {
        ServerGrant ended = server.revoke(new LockName(names[name]));
        if (ended != null) {
            note("an administrator ends the grant of " + names[name]);
            HolderId holder = ended.grant.claim().holder();
            if (told) {
                clients.forEach(client -> client.backend.signalled(holder, Signal.LOST));
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

    void noteFault(String what) {
        note(what);
    }

    /** Everything that is different in kind, without ids, tokens and moments. */
    private long state() {
        long hash = network.state() * 31 + server.state();
        for (SimulatedClient client : clients) {
            hash = hash * 31 + client.state();
        }
        return hash * 31 + kind;
    }
}
