package io.hasp.simulator;

import io.hasp.Lease;
import io.hasp.simulator.checks.OutstandingReleases;
import io.hasp.simulator.clients.Participant;
import io.hasp.simulator.clients.SimulatedCaller;
import io.hasp.simulator.clients.SimulatedCandidate;
import io.hasp.simulator.clients.SimulatedClient;
import io.hasp.simulator.clients.SimulatedExecutor;
import io.hasp.simulator.network.Network;
import io.hasp.simulator.network.SimulatedBackend;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Ends all faults, lets a run become quiescent, and checks what must hold then. */
final class QuiescenceCheck {
    /** The lease of a holder that is never released, the longest pause before a release is tried again, and a few polls. */
    private static final Duration BOUND =
            Configuration.LEASE.multipliedBy(2).plusSeconds(8).plus(Configuration.POLL.multipliedBy(4));

    /** Longer than a lock stays taken that one caller has released. */
    private static final Duration TAKEN = Duration.ofSeconds(7);

    /** A run that becomes quiescent takes some hundred steps. */
    private static final long MOST_STEPS = 10_000;

    private final SimulationRun run;
    private final World world;
    private final SimulatedThreads threads;
    private final Network network;
    private final ReferenceServer server;
    private final List<SimulatedClient> clients;
    private final StepScheduler scheduler;
    private final Duration bound;
    /** A client was closed before the faults ended, so it may have left something on the server. */
    private boolean closedBefore;

    QuiescenceCheck(SimulationRun run, StepScheduler scheduler) {
        this.run = run;
        this.world = run.world;
        this.threads = run.threads;
        this.network = run.network;
        this.server = run.server;
        this.clients = run.clients;
        this.scheduler = scheduler;
        Configuration of = world.configuration;
        // Each caller may leave the lock taken for all others.
        this.bound = of.retains() ? BOUND.plus(TAKEN.multipliedBy((long) of.clients() * of.callers())) : BOUND;
    }

    void check() {
        heal();
        until(
                "no caller waits for a free lock",
                () -> clients.stream()
                        .flatMap(client -> client.callers.stream())
                        .allMatch(this::waitsForAReason));
        if (world.configuration.users() == Configuration.Users.CANDIDATES) {
            until(
                    "each election has one leader",
                    () -> IntStream.range(0, world.configuration.names())
                            .allMatch(name -> SimulatedCandidate.hasOneLeader(clients, name)));
        }
        boolean closeHolding = world.configuration.steps() % 160 == 40;
        if (!closeHolding) {
            until("each caller gets the lock in the end", this::everyCallerIsDone);
            until("no timer is set without a reason", this::quiet);
            until(
                    "an idle client keeps no state",
                    () -> clients.stream().allMatch(client -> client.closed || client.driver.idle()));
            nothingIsOutstanding();
            nothingIsLeft("when all is quiet,");
            newClientGetsEachLock();
        }
        // A client on a suspended machine is not closed.
        until("a pause ends", () -> clients.stream().noneMatch(client -> client.backend.isPaused()));
        clients.forEach(run::closeNow);
        until("a close ends", () -> clients.stream().allMatch(client -> client.closed));
        until("no call hangs after the close", () -> idle() && quiet());
        nothingIsLeft("after the close");
        run.checks.ends.lossesTold(clients);
        run.checks.ends.counted(clients);
    }

    private void heal() {
        world.heal();
        threads.heal();
        world.note("everything heals");
        network.outage = false;
        server.takesNoNewHolder(Duration.ZERO);
        for (SimulatedClient client : clients) {
            closedBefore |= client.closing;
            client.backend.cut = false;
            client.backend.breaksIn = null;
            client.backend.subscription = SimulatedBackend.Subscription.LIVE;
            boolean disturbed = client.disturbed(world.now());
            // The end of a suspension is where the client's clock goes on.
            client.backend.pausedUntil =
                    Math.min(client.backend.pausedUntil, Math.max(world.now(), client.suspendedUntil));
            client.executor.mode = SimulatedExecutor.Mode.TAKES;
            client.callers.forEach(caller -> caller.thread.suspendedUntil = 0);
            client.participants.forEach(Participant::heal);
            if (disturbed) {
                client.disturb();
            }
        }
    }

    /** Runs on until the condition holds. */
    private void until(String rule, BooleanSupplier condition) {
        long begun = world.now();
        long firstStep = world.steps();
        while (!condition.getAsBoolean()) {
            if (world.steps() - firstStep > MOST_STEPS) {
                throw world.violated(
                        "no step repeats for ever", MOST_STEPS + " steps and still not: " + rule + ": " + present());
            }
            if (world.now() - begun > bound.toNanos()) {
                throw world.violated(rule, "not within " + bound + " after everything healed: " + present());
            }
            run.step(scheduler::progress);
        }
    }

    private String present() {
        StringBuilder text = new StringBuilder();
        for (SimulatedClient client : clients) {
            text.append(" c").append(client.index).append(": ");
            text.append("timers ").append(client.timing.describe()).append(", ");
            text.append(client.executor.size()).append(" tasks, closed ").append(client.closed);
            for (SimulatedCaller caller : client.callers) {
                text.append(", ").append(caller.phase).append(' ').append(world.name(caller.name));
            }
            text.append(';');
        }
        return text + " server: " + server.present();
    }

    private boolean waitsForAReason(SimulatedCaller caller) {
        return caller.phase != SimulatedCaller.Phase.WAITING || run.checks.leases.isTooMuch(caller);
    }

    /** Each caller with a lock releases it, unless its machine is suspended still. Whether all callers are idle then. */
    private boolean everyCallerIsDone() {
        for (SimulatedClient client : clients) {
            if (!client.backend.isPaused()) {
                client.callers.forEach(SimulatedCaller::release);
                client.participants.forEach(Participant::finish);
            }
        }
        return idle();
    }

    private boolean idle() {
        return threads.noneSuspended()
                && clients.stream()
                        .flatMap(client -> client.participants.stream())
                        .allMatch(Participant::isDone)
                && clients.stream()
                        .flatMap(client -> client.callers.stream())
                        .allMatch(caller -> (caller.phase == SimulatedCaller.Phase.IDLE
                                        && (caller.holdCount() == 0 || caller.client.closed))
                                || (caller.phase == SimulatedCaller.Phase.HOLDING && caller.client.closed));
    }

    private boolean quiet() {
        return network.underWay() == 0
                && network.nextTimeout() == Long.MAX_VALUE
                && clients.stream()
                        .allMatch(client ->
                                client.timing.scheduled() == 0 && client.executor.size() == 0 && client.pools.empty())
                && threads.noneSuspended();
    }

    private void nothingIsLeft(String when) {
        List<String> present = server.present();
        boolean excused = !server.remembers() || closedBefore || world.configuration.retains();
        if (!present.isEmpty() && !excused) {
            throw world.violated("nothing is left", when + " the server has: " + present);
        }
        long begun = world.now();
        while (!present.isEmpty() && world.now() - begun < bound.toNanos()) {
            run.step(scheduler::progress);
            present = server.present();
        }
        if (!present.isEmpty()) {
            throw world.violated("nothing is left", bound + " later the server has: " + present);
        }
    }

    private void nothingIsOutstanding() {
        for (SimulatedClient client : clients) {
            // What has to stay taken is not released again.
            boolean excused = client.closing || world.configuration.retains();
            OutstandingReleases outstanding = run.checks.outstanding(client);
            if (!excused && !outstanding.isEmpty()) {
                throw world.violated(
                        "each outstanding holder is released",
                        "c" + client.index + " never released holders that may be on the server: " + outstanding);
            }
        }
    }

    private void newClientGetsEachLock() {
        SimulatedClient newClient = run.open(world.configuration.clients(), 0);
        for (int i = 0; i < world.configuration.names(); i++) {
            CompletableFuture<Optional<Lease>> lease =
                    newClient.driver.client().lock(world.name(i)).tryAcquireAsync(Duration.ZERO);
            until("a new client gets each lock at once", lease::isDone);
            if (lease.isCompletedExceptionally() || lease.join().isEmpty()) {
                throw world.violated("a new client gets each lock at once", world.name(i) + ": " + lease);
            }
        }
    }
}
