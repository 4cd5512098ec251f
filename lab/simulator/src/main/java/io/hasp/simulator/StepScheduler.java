package io.hasp.simulator;

import io.hasp.simulator.checks.InvariantChecks;
import io.hasp.simulator.clients.Participant;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.SimulatedPool;
import io.hasp.simulator.clients.SimulatedThread;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.threads.ThreadRole;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.World;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what happens next in a run, one step at a time. What a client does takes no time unless the client is paused. Time moves
 * on to the next thing that is due, or part of the way.
 */
final class StepScheduler {
    private static final long MILLISECOND = 1_000_000;
    /** Each caller and each lease has one, and each release that is owed: after a pause many are due. */
    private static final int MOST_TIMERS_AT_ONCE = 1_000;

    private final SimulationRun run;
    private final World world;
    private final SimulatedThreads threads;
    private final Network network;
    private final ReferenceServer server;
    private final InvariantChecks checks;
    private final ChoiceSequence choices;
    private final List<SimulatedClient> clients;

    StepScheduler(SimulationRun run) {
        this.run = run;
        this.world = run.world;
        this.threads = run.threads;
        this.network = run.network;
        this.server = run.server;
        this.checks = run.checks;
        this.choices = run.world.choices;
        this.clients = run.clients;
    }

    /** Chosen steps, until the configured number is reached or the choices run out. */
    void chaos() {
        for (int i = 0; i < world.configuration.steps() && !choices.exhausted(); i++) {
            run.step(this::chosen);
        }
    }

    private void chosen() {
        int step = choices.below(32);
        if (step < 12) {
            progress();
        } else if (step < 18) {
            deliver();
        } else if (step < 26) {
            act();
        } else if (step < 31 || world.configuration.faults() == 0) {
            pass();
        } else {
            Fault.of(choices, world.configuration).happen(run);
        }
    }

    /** A running client makes its next step; otherwise a message arrives; otherwise time passes. */
    void progress() {
        if (!runOne() && !network.deliverOne(1)) {
            advance();
        }
    }

    private void deliver() {
        if (!network.deliverOne(6)) {
            progress();
        }
    }

    private void pass() {
        if (!runOne()) {
            advance();
        }
    }

    private void act() {
        SimulatedClient client = clients.get(choices.below(clients.size()));
        boolean unused = client.callers.isEmpty() && client.participants.isEmpty();
        if (unused || client.backend.isPaused()) {
            progress();
            return;
        }
        if (choices.oneIn(client.closing ? 20 : 120)) {
            run.close(client);
        } else if (!world.configuration.hasThreads() && choices.oneIn(40)) {
            client.raiseTokenFloor();
        } else if (client.callers.isEmpty()
                ? !client.participants
                        .get(choices.below(client.participants.size()))
                        .act()
                : !acts(client.callers.get(choices.below(client.callers.size())))) {
            progress();
        }
    }

    /** False if the caller has nothing to do. */
    private boolean acts(SimulatedCaller caller) {
        if (caller.isSuspended()) {
            return false;
        }
        boolean[] acts = {true};
        threads.run(caller.client.backend, ThreadRole.CALLER, caller, () -> acts[0] = caller.act());
        return acts[0];
    }

    /** Runs a task, a timer or a thread of a running client, or a timeout; false if nothing can run now. */
    private boolean runOne() {
        int possible = runnable();
        if (possible == 0) {
            threads.hurry();
            possible = runnable();
        }
        boolean timeout = network.nextTimeout() <= world.now();
        if (possible == 0) {
            return timeout && network.timeOut();
        }
        int chosen = world.healed() ? 0 : choices.below(timeout ? possible + 1 : possible);
        if (chosen == possible && network.timeOut()) {
            return true;
        }
        chosen %= possible;
        for (SimulatedClient client : clients) {
            int here = runnable(client);
            if (chosen < here) {
                runOne(client, chosen);
                return true;
            }
            chosen -= here;
        }
        throw new AssertionError("counted before");
    }

    private int runnable() {
        int possible = 0;
        for (SimulatedClient client : clients) {
            possible += runnable(client);
        }
        return possible;
    }

    /** The number of tasks, timers and threads of a client that can run now. */
    private int runnable(SimulatedClient client) {
        if (client.backend.isPaused()) {
            return 0;
        }
        int count = (client.executor.size() > 0 ? 1 : 0) + (client.timing.isDue() ? 1 : 0);
        count += threads.ready(client.backend);
        for (SimulatedPool pool : client.pools.all) {
            count += pool.ready() ? 1 : 0;
        }
        for (SimulatedCaller caller : client.callers) {
            count += caller.ready() ? 1 : 0;
        }
        return count;
    }

    private void runOne(SimulatedClient client, int chosen) {
        int left = chosen;
        if (client.executor.size() > 0 && left-- == 0) {
            runTask(client);
            return;
        }
        if (client.timing.isDue() && left-- == 0) {
            runTimer(client);
            return;
        }
        for (SimulatedCaller caller : client.callers) {
            if (caller.ready() && left-- == 0) {
                threads.run(client.backend, ThreadRole.CALLER, caller, caller::step);
                return;
            }
        }
        for (SimulatedPool pool : client.pools.all) {
            if (pool.ready() && left-- == 0) {
                runContained(client, pool.role, pool, pool.take(anyOf(pool.size())));
                return;
            }
        }
        threads.resume(client.backend, left);
    }

    private int anyOf(int tasks) {
        return world.healed() || tasks == 1 || !choices.oneIn(3) ? 0 : choices.below(tasks);
    }

    private void runContained(SimulatedClient client, ThreadRole role, @Nullable Object owner, Runnable task) {
        threads.run(client.backend, role, owner, () -> SimulatedThread.runContained(task));
    }

    private void runTask(SimulatedClient client) {
        Runnable task = client.executor.take(anyOf(client.executor.size()));
        runContained(client, ThreadRole.EXECUTOR, null, task);
    }

    private void runTimer(SimulatedClient client) {
        Runnable timer = client.timing.take();
        if (timer != null) {
            runContained(client, ThreadRole.TIMER, null, () -> threads.withoutBlocking(timer));
        }
        if (client.timing.firedAtOnce() > MOST_TIMERS_AT_ONCE) {
            throw world.violated(
                    "no step repeats for ever",
                    "c" + client.index + " sets timers that are due at once, again and again");
        }
    }

    /** Moves the clock to what is due next, or a part of the way. */
    private void advance() {
        clients.forEach(this::checkNothingIsPending);
        clients.forEach(checks.lateCallers::beforeTimePasses);
        heartbeats();
        long next = nextDue();
        long distance = next == Long.MAX_VALUE ? 100 * MILLISECOND : Math.max(0, next - world.now());
        int quarters = world.healed() ? 0 : choices.below(6);
        long nanos = quarters == 0 || quarters > 3 ? Math.max(1, distance) : Math.max(1, distance / 4 * quarters);
        boolean nothingUnderWay = network.underWay() == 0 && network.nextTimeout() == Long.MAX_VALUE;
        checks.keeps.timePassed(nanos, nothingUnderWay);
        world.advance(nanos);
        clients.forEach(checks.lateCallers::timePassed);
        heartbeats();
        server.sweep();
    }

    private long nextDue() {
        long next = Math.min(server.sweep(), network.nextTimeout());
        for (SimulatedClient client : clients) {
            long due = client.timing.nextDue();
            due = Math.min(due, threads.nextWake(client.backend));
            next = Math.min(next, client.backend.isPaused() ? client.backend.pausedUntil : due);
            for (SimulatedCaller caller : client.callers) {
                next = caller.thread.suspendedUntil > world.now() ? Math.min(next, caller.thread.suspendedUntil) : next;
            }
        }
        return next;
    }

    private void checkNothingIsPending(SimulatedClient client) {
        if (client.closing || client.disturbed(world.now())) {
            return;
        }
        checks.beforeTimePasses(client);
        client.participants.forEach(Participant::look);
    }

    /** A session lasts for as long as its client runs and is connected. */
    private void heartbeats() {
        for (SimulatedClient client : clients) {
            if (!client.backend.isPaused() && !client.backend.cut && !client.closed && !network.outage) {
                server.heartbeat(client.backend.session());
            }
        }
    }
}
