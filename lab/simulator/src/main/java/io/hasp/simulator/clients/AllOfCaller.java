package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.ReleaseResult;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Takes a random subset of the locks by {@code allOf}, in an order of its own, holds them, and releases them together. */
final class AllOfCaller implements Participant {
    private final SimulatedClient client;
    private final World world;
    private final ClientMonitor monitor;
    private final String label;
    /** By name: the holder of that lock, for the checks. */
    private final List<SimulatedCaller> parts = new ArrayList<>();

    private List<SimulatedCaller> wanted = List.of();
    private List<LeaseState> before = List.of();
    private @Nullable CompletableFuture<?> future;
    private @Nullable MultiLease lease;
    private boolean busy;

    AllOfCaller(SimulatedClient client, int index) {
        this.client = client;
        this.world = client.world;
        this.monitor = client.monitor;
        this.label = "c" + client.index + "." + index;
        for (int name = 0; name < world.configuration.names(); name++) {
            SimulatedCaller part = new SimulatedCaller(client, index);
            part.name = name;
            parts.add(part);
        }
    }

    private void note(String what) {
        if (world.trace != null) {
            world.trace.line(world.now(), label, what);
        }
    }

    @Override
    public boolean act() {
        MultiLease mine = lease;
        if (mine != null) {
            if (world.choices.below(3) == 1) {
                note("looks: " + mine.state());
                wanted.forEach(this::lookAt);
            } else {
                release(mine);
            }
        } else if (future != null) {
            return world.choices.oneIn(6) && cancel(future);
        } else if (busy) {
            return false;
        } else {
            begin();
        }
        return true;
    }

    private void begin() {
        List<SimulatedCaller> left = new ArrayList<>(parts);
        int size = 1 + world.choices.below(parts.size());
        wanted = new ArrayList<>();
        while (wanted.size() < size) {
            SimulatedCaller part = left.remove(world.choices.below(left.size()));
            part.chooseOptions();
            part.joins();
            wanted.add(part);
        }
        Duration wait = AcquireActions.wait(world.choices);
        note("asks for all of "
                + wanted.stream()
                        .map(part -> world.name(part.name) + " " + part.options())
                        .toList() + ", wait " + wait);
        MultiLock all =
                client.driver.client().allOf(wanted.stream().map(this::lock).toList());
        CompletableFuture<Optional<MultiLease>> asked = wait.equals(SimulatedCaller.FOREVER)
                ? all.acquireAsync().thenApply(Optional::of)
                : all.tryAcquireAsync(wait);
        busy = true;
        future = asked;
        asked.whenComplete((result, thrown) -> ended(thrown == null ? result.orElse(null) : null, thrown));
    }

    private DistributedLock lock(SimulatedCaller part) {
        return client.driver.client().lock(world.name(part.name), part.options());
    }

    private boolean cancel(CompletableFuture<?> asked) {
        note("cancels");
        asked.cancel(false);
        return true;
    }

    private void ended(@Nullable MultiLease result, @Nullable Throwable thrown) {
        if (!busy || lease != null) {
            throw world.violated("one outcome", label + " had an outcome before: " + result + ", " + thrown);
        }
        busy = false;
        future = null;
        if (result != null) {
            has(result);
        } else if (thrown == null) {
            note("goes without: others hold one");
        } else {
            failed(thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown);
        }
    }

    private void has(MultiLease all) {
        note("has " + all);
        lease = all;
        List<TrackedLease> given = new ArrayList<>();
        for (SimulatedCaller part : wanted) {
            part.phase = SimulatedCaller.Phase.HOLDING;
            TrackedLease tracked = monitor.given(part, all.lease(world.name(part.name)));
            part.tracked = tracked;
            given.add(tracked);
        }
        for (TrackedLease tracked : given) {
            tracked.together = given.stream().filter(other -> other != tracked).toList();
        }
    }

    private void failed(Throwable cause) {
        note("fails: " + cause);
        if (cause instanceof BackendException) {
            monitor.unavailable(wanted.get(0), cause);
        }
        boolean known = cause instanceof BackendException
                || cause instanceof CancellationException
                || cause instanceof LeaseLostException
                || (cause instanceof ClientClosedException && client.closing);
        if (!known) {
            throw world.violated("failures are known", label + " failed with " + cause);
        }
    }

    private void release(MultiLease mine) {
        note("releases " + mine);
        LeaseState state = mine.state();
        boolean whole = state == LeaseState.HELD || state == LeaseState.SUSPECT;
        before = wanted.stream()
                .map(part -> mine.lease(world.name(part.name)).state())
                .toList();
        wanted.forEach(part -> part.phase = SimulatedCaller.Phase.RELEASING);
        lease = null;
        busy = true;
        mine.releaseAsync().whenComplete((results, thrown) -> released(whole, results, thrown));
    }

    private void released(boolean whole, @Nullable Map<String, ReleaseResult> results, @Nullable Throwable thrown) {
        note("release: " + (thrown == null ? results : thrown));
        busy = false;
        for (int i = 0; i < wanted.size(); i++) {
            SimulatedCaller part = wanted.get(i);
            TrackedLease tracked = part.tracked;
            part.tracked = null;
            part.phase = SimulatedCaller.Phase.IDLE;
            ReleaseResult result = results == null ? null : results.get(world.name(part.name));
            // The loss of another lock has released this one before.
            if (tracked != null && (whole || result != ReleaseResult.ALREADY_RELEASED)) {
                monitor.released(tracked, before.get(i), result, thrown == null ? null : thrown.getCause());
            }
        }
    }

    @Override
    public void look() {
        MultiLease mine = lease;
        if (mine == null) {
            holdsNothing();
            return;
        }
        LeaseState state = mine.state();
        boolean ended = state == LeaseState.LOST || state == LeaseState.RELEASED;
        for (SimulatedCaller part : wanted) {
            TrackedLease tracked = part.tracked;
            if (tracked != null && tracked.active() == ended) {
                throw world.violated(
                        "the loss of one lock ends all", label + " has " + mine + ", and of it " + tracked.lease);
            }
            lookAt(part);
        }
    }

    /** If all calls of the client have ended without their locks, it has no lock. */
    private void holdsNothing() {
        for (int name = 0; name < parts.size(); name++) {
            if (client.driver.holder(world.name(name)) != null
                    && client.participants.stream().allMatch(Participant::isDone)) {
                throw world.violated(
                        "a call that ended without its locks has none of them",
                        "c" + client.index + " holds " + world.name(name));
            }
        }
    }

    private void lookAt(SimulatedCaller part) {
        if (part.tracked != null) {
            monitor.look(part.tracked);
        }
    }

    @Override
    public void finish() {
        if (lease != null) {
            release(lease);
        }
    }

    @Override
    public boolean mayUse(int name) {
        return !isDone() && wanted.stream().anyMatch(part -> part.name == name);
    }

    @Override
    public boolean isDone() {
        return !busy && (lease == null || client.closed);
    }

    @Override
    public long state() {
        return (busy ? 1 : 0) + (lease != null ? 2 : 0) + 4L * wanted.size();
    }
}
