package io.hasp.simulator;

import io.hasp.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

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
    private final StepScheduler scheduler;
    private final Duration bound;
    /** Whether a client was closed before the faults ended: it may have left something on the server. */
    private boolean closedBefore;

    QuiescenceCheck(SimulationRun run, StepScheduler scheduler) {
        this.run = run;
        this.scheduler = scheduler;
        Configuration of = run.configuration;
        // Each caller may leave the lock taken for all others.
        this.bound = of.retains() ? BOUND.plus(TAKEN.multipliedBy((long) of.clients() * of.callers())) : BOUND;
    }

    void check() {
        heal();
        until(
                "no caller waits for a free lock",
                () -> run.clients.stream()
                        .flatMap(client -> client.callers.stream())
                        .allMatch(this::waitsForAReason));
        boolean closeHolding = run.configuration.steps() % 160 == 40;
        if (!closeHolding) {
            until("each caller gets the lock in the end", this::everyCallerIsDone);
            until("no timer is set without a reason", this::quiet);
            until(
                    "an idle client keeps no state",
                    () -> run.clients.stream().allMatch(client -> client.closed || client.driver.idle()));
            nothingIsOutstanding();
            nothingIsLeft("when all is quiet,");
            newClientGetsEachLock();
        }
        // Nobody closes a client on a machine that is suspended.
        until("a pause ends", () -> run.clients.stream().noneMatch(client -> run.paused(client.backend)));
        run.clients.forEach(run::closeNow);
        until("a close ends", () -> run.clients.stream().allMatch(client -> client.closed));
        until("no call hangs after the close", () -> idle() && quiet());
        nothingIsLeft("after the close");
        run.checks.ends.lossesTold(run.clients);
        run.checks.ends.counted(run.clients);
    }

    private void heal() {
        run.healed = true;
        run.threads.heal();
        run.note("everything heals");
        run.network.outage = false;
        run.server.takesNoNewHolder(Duration.ZERO);
        for (SimulatedClient client : run.clients) {
            closedBefore |= client.closing;
            client.backend.cut = false;
            client.backend.breaksIn = null;
            client.backend.subscription = SimulatedBackend.Subscription.LIVE;
            boolean disturbed = client.disturbed(run.now());
            // The end of a suspension is where the client's clock goes on.
            client.backend.pausedUntil =
                    Math.min(client.backend.pausedUntil, Math.max(run.now(), client.suspendedUntil));
            client.executor.mode = SimulatedExecutor.Mode.TAKES;
            client.callers.forEach(caller -> caller.thread.suspendedUntil = 0);
            if (disturbed) {
                client.disturb();
            }
        }
    }

    /** Runs on until the condition holds. */
    private void until(String rule, BooleanSupplier condition) {
        long begun = run.now();
        long firstStep = run.steps;
        while (!condition.getAsBoolean()) {
            if (run.steps - firstStep > MOST_STEPS) {
                throw run.violated(
                        "no step repeats for ever", MOST_STEPS + " steps and still not: " + rule + ": " + present());
            }
            if (run.now() - begun > bound.toNanos()) {
                throw run.violated(rule, "not within " + bound + " after everything healed: " + present());
            }
            run.step(scheduler::progress);
        }
    }

    private String present() {
        StringBuilder text = new StringBuilder();
        for (SimulatedClient client : run.clients) {
            text.append(" c").append(client.index).append(": ");
            text.append("timers ").append(client.timing.describe()).append(", ");
            text.append(client.executor.size()).append(" tasks, closed ").append(client.closed);
            for (SimulatedCaller caller : client.callers) {
                text.append(", ").append(caller.phase).append(' ').append(run.name(caller.name));
            }
            text.append(';');
        }
        return text + " server: " + run.server.present();
    }

    private boolean waitsForAReason(SimulatedCaller caller) {
        return caller.phase != SimulatedCaller.Phase.WAITING || run.checks.leases.isTooMuch(caller);
    }

    /** Each caller with a lock releases it, unless its machine is suspended still. Whether all callers are idle then. */
    private boolean everyCallerIsDone() {
        for (SimulatedClient client : run.clients) {
            if (!run.paused(client.backend)) {
                client.callers.forEach(SimulatedCaller::release);
            }
        }
        return idle();
    }

    private boolean idle() {
        return run.threads.noneSuspended()
                && run.clients.stream()
                        .flatMap(client -> client.callers.stream())
                        .allMatch(caller -> (caller.phase == SimulatedCaller.Phase.IDLE
                                        && (caller.holdCount() == 0 || caller.client.closed))
                                || (caller.phase == SimulatedCaller.Phase.HOLDING && caller.client.closed));
    }

    private boolean quiet() {
        return run.network.underWay() == 0
                && run.network.nextTimeout() == Long.MAX_VALUE
                && run.clients.stream()
                        .allMatch(client ->
                                client.timing.scheduled() == 0 && client.executor.size() == 0 && client.pools.empty())
                && run.threads.noneSuspended();
    }

    private void nothingIsLeft(String when) {
        List<String> present = run.server.present();
        boolean excused = !run.server.remembers() || closedBefore || run.configuration.retains();
        if (!present.isEmpty() && !excused) {
            throw run.violated("nothing is left", when + " the server has: " + present);
        }
        long begun = run.now();
        while (!present.isEmpty() && run.now() - begun < bound.toNanos()) {
            run.step(scheduler::progress);
            present = run.server.present();
        }
        if (!present.isEmpty()) {
            throw run.violated("nothing is left", bound + " later the server has: " + present);
        }
    }

    private void nothingIsOutstanding() {
        for (SimulatedClient client : run.clients) {
            // What has to stay taken is not released again.
            boolean excused = client.closing || run.configuration.retains();
            if (!excused && !client.backend.monitor.outstanding.isEmpty()) {
                throw run.violated(
                        "each outstanding holder is released",
                        "c" + client.index + " never released holders that may be on the server: "
                                + client.backend.monitor.outstanding);
            }
        }
    }

    private void newClientGetsEachLock() {
        SimulatedClient newClient = run.open(run.configuration.clients(), 0);
        for (int i = 0; i < run.configuration.names(); i++) {
            CompletableFuture<Optional<Lease>> lease =
                    newClient.driver.client().lock(run.name(i)).tryAcquireAsync(Duration.ZERO);
            until("a new client gets each lock at once", lease::isDone);
            if (lease.isCompletedExceptionally() || lease.join().isEmpty()) {
                throw run.violated("a new client gets each lock at once", run.name(i) + ": " + lease);
            }
        }
    }
}
