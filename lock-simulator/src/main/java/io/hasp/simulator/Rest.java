package io.hasp.simulator;

import io.hasp.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Lets a world heal and come to rest, and checks what must hold then. */
final class Rest {
    /** A ghost's lease, a withdrawal's longest pause and a few polls. */
    private static final Duration BOUND =
            Configuration.LEASE.multipliedBy(2).plusSeconds(8).plus(Configuration.POLL.multipliedBy(4));

    /** Rest takes some hundred. */
    private static final long MOST_STEPS = 10_000;

    private final World world;
    private boolean closedBefore;

    Rest(World world) {
        this.world = world;
    }

    void check() {
        heal();
        until(
                "nobody waits for a free lock",
                () -> world.clients.stream()
                        .flatMap(client -> client.callers.stream())
                        .allMatch(this::hasReason));
        boolean closeHolding = world.configuration.steps() % 160 == 40;
        if (!closeHolding) {
            until("everybody gets a turn", this::everybodyIsDone);
            until("no timer runs for nothing", this::quiet);
            until(
                    "nothing is remembered for nothing",
                    () -> world.clients.stream().allMatch(client -> client.closed || client.driver.idle()));
            nothingIsOwed();
            nothingIsLeft("at rest");
            freshClientGetsEverything();
        }
        world.clients.forEach(world::close);
        until("a close ends", () -> world.clients.stream().allMatch(client -> client.closed));
        until("no call hangs after the close", () -> idle() && quiet());
        nothingIsLeft("after the close");
        world.checks.ends.lossesTold(world.clients);
    }

    private void heal() {
        world.calm = true;
        world.noteFault("everything heals");
        world.network.outage = false;
        world.server.takesNoNewHolder(Duration.ZERO);
        for (SimulatedClient client : world.clients) {
            closedBefore |= client.closing;
            client.backend.cut = false;
            boolean disturbed = client.disturbed(world.now());
            client.backend.pausedUntil = Math.min(client.backend.pausedUntil, world.now());
            client.executor.mode = ClientExecutor.Mode.TAKES;
            client.callers.forEach(caller -> caller.thread.suspendedUntil = 0);
            if (disturbed) {
                world.disturb(client);
            }
        }
    }

    /** Runs on until it holds. */
    private void until(String rule, BooleanSupplier condition) {
        long begun = world.now();
        long firstStep = world.steps;
        while (!condition.getAsBoolean()) {
            if (world.steps - firstStep > MOST_STEPS) {
                throw world.violated(
                        "nothing turns round for ever",
                        MOST_STEPS + " steps and still not: " + rule + ": " + present());
            }
            if (world.now() - begun > BOUND.toNanos()) {
                throw world.violated(rule, "not within " + BOUND + " after everything healed: " + present());
            }
            world.step(world::progress);
        }
    }

    private String present() {
        StringBuilder text = new StringBuilder();
        for (SimulatedClient client : world.clients) {
            text.append(" c").append(client.index).append(": ");
            text.append(client.timing.scheduled()).append(" timers, ");
            text.append(client.executor.size()).append(" tasks, closed ").append(client.closed);
            for (Caller caller : client.callers) {
                text.append(", ").append(caller.phase).append(' ').append(world.name(caller.name));
            }
            text.append(';');
        }
        return text + " server: " + world.server.present();
    }

    private boolean hasReason(Caller caller) {
        return caller.phase != Caller.Phase.WAITING || world.checks.leases.somebodyHolds(caller.name);
    }

    /** Whoever has a lock gives it back. */
    private boolean everybodyIsDone() {
        for (SimulatedClient client : world.clients) {
            for (Caller caller : client.callers) {
                caller.release();
            }
        }
        return idle();
    }

    private boolean idle() {
        return world.clients.stream()
                .flatMap(client -> client.callers.stream())
                .allMatch(caller ->
                        (caller.phase == Caller.Phase.IDLE && (caller.holdCount() == 0 || caller.client.closed))
                                || (caller.phase == Caller.Phase.HOLDING && caller.client.closed));
    }

    private boolean quiet() {
        return world.network.underWay() == 0
                && world.network.nextTimeout() == Long.MAX_VALUE
                && world.clients.stream()
                        .allMatch(client -> client.timing.scheduled() == 0 && client.executor.size() == 0);
    }

    private void nothingIsLeft(String when) {
        List<String> present = world.server.present();
        boolean excused = !world.server.remembers() || closedBefore;
        if (!present.isEmpty() && !excused) {
            throw world.violated("nothing is left", when + " the server has: " + present);
        }
        long begun = world.now();
        while (!present.isEmpty() && world.now() - begun < BOUND.toNanos()) {
            world.step(world::progress);
            present = world.server.present();
        }
        if (!present.isEmpty()) {
            throw world.violated("nothing is left", BOUND + " later the server has: " + present);
        }
    }

    private void nothingIsOwed() {
        for (SimulatedClient client : world.clients) {
            if (!client.closing && !client.backend.debts.none()) {
                throw world.violated(
                        "what may be left is withdrawn",
                        "c" + client.index + " never released holders that may have something: "
                                + client.backend.debts);
            }
        }
    }

    private void freshClientGetsEverything() {
        SimulatedClient fresh = world.open(world.configuration.clients(), 0);
        for (int i = 0; i < world.configuration.names(); i++) {
            CompletableFuture<Optional<Lease>> lease =
                    fresh.driver.client().lock(world.name(i)).tryAcquireAsync(Duration.ZERO);
            until("a fresh client gets every lock at once", lease::isDone);
            if (lease.isCompletedExceptionally() || lease.join().isEmpty()) {
                throw world.violated("a fresh client gets every lock at once", world.name(i) + ": " + lease);
            }
        }
    }
}
