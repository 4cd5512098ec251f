package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseObservers;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The common state of the leases in a {@link MultiLease}: the loss of one ends all. The engine refers to this object and not to the
 * {@code MultiLease}, so that {@link LeaseHandles} can find a lease that the program has dropped. Thread-safe.
 */
final class MultiHold {
    private final ClientContext client;
    private final List<LeaseControl> leases;
    /** Null if work under the leases goes on after a loss. */
    private final @Nullable LossTasks tasks;

    private final AtomicReference<LeaseLife.@Nullable State> end = new AtomicReference<>();
    private final LeaseObservers observers = new LeaseObservers();
    /** The state that observers received last; null without an observer. */
    private LeaseLife.@Nullable State noted;

    MultiHold(ClientContext client, List<LeaseControl> leases, @Nullable LossTasks tasks) {
        this.client = client;
        this.leases = leases;
        this.tasks = tasks;
    }

    /** Begins to watch the leases. */
    void watch() {
        LossTasks all = tasks;
        if (all != null) {
            all.watch();
            leases.forEach(lease -> stopWork(lease, all));
        }
        leases.forEach(lease -> lease.whenEnded(() -> ended(lease)));
    }

    /** The engine runs this at the end of a lease. With work to stop, the other locks are released after the work was stopped. */
    private void ended(LeaseControl lease) {
        if (isCutShort(lease)) {
            end.compareAndSet(null, lease.lease().life().state());
            if (tasks == null) {
                releaseRest();
            }
        }
    }

    private static boolean isCutShort(LeaseControl lease) {
        return lease.lease().loss() != null || lease.endedByClose();
    }

    /** On threads of the client's own: an executor of the program may be busy with the very work that has lost its lock. */
    private void releaseRest() {
        client.engine.threads().background.execute(() -> {
            for (LeaseControl lease : leases) {
                if (lease.lease().alive()) {
                    lease.beginRelease(client.engine.background());
                }
            }
        });
    }

    /** Returns the worst state of all leases; the first end is final. */
    LeaseLife.State state() {
        LeaseLife.State known = end.get();
        if (known != null) {
            return known;
        }
        LeaseLife.State worst = LeaseLife.State.HELD;
        for (LeaseControl lease : leases) {
            worst = worse(worst, lease.life().state());
        }
        return ended(worst) ? firstEnd(worst) : worst;
    }

    private LeaseLife.State firstEnd(LeaseLife.State present) {
        LeaseLife.State before = end.compareAndExchange(null, present);
        return before == null ? present : before;
    }

    private static boolean ended(LeaseLife.State state) {
        return state == LeaseLife.State.LOST || state == LeaseLife.State.RELEASED;
    }

    private static LeaseLife.State worse(LeaseLife.State one, LeaseLife.State other) {
        return rank(one) >= rank(other) ? one : other;
    }

    private static int rank(LeaseLife.State state) {
        return switch (state) {
            case HELD -> 0;
            case SUSPECT -> 1;
            case RELEASED -> 2;
            case LOST -> 3;
        };
    }

    boolean stopsWork() {
        return tasks != null;
    }

    /** Adds a task that stops work. */
    Runnable whenCutShort(LossTasks.Task task) {
        LossTasks all = tasks;
        if (all == null) {
            return () -> {};
        }
        all.add(task);
        return () -> all.remove(task);
    }

    private void stopWork(LeaseControl lease, LossTasks all) {
        lease.stopWorkBy(stopped -> {
            if (isCutShort(lease)) {
                all.cutShort(() -> {
                    stopped.run();
                    releaseRest();
                });
            } else {
                stopped.run();
            }
        });
    }

    Registration onChange(Executor executor, Consumer<LeaseState> listener) {
        AtomicBoolean registered = new AtomicBoolean(true);
        Consumer<LeaseLife.State> observer = LeaseObservers.on(executor, state -> {
            if (registered.get()) {
                listener.accept(Lease.stateOf(state));
            }
        });
        LeaseLife.State present = state();
        if (ended(present)) {
            observer.accept(present);
        } else {
            observe(observer, present);
        }
        return () -> registered.set(false);
    }

    private void observe(Consumer<LeaseLife.State> observer, LeaseLife.State present) {
        LeaseLife.State before;
        synchronized (this) {
            before = noted;
            observers.add(observer);
            noted = before == null ? present : before;
        }
        if (before != null && ended(before)) {
            // The end came after the look above, and the other observers have received it.
            observer.accept(before);
        }
        if (before == null) {
            leases.forEach(lease -> lease.observe(state -> changed()));
        }
        // A change since the look above.
        changed();
    }

    private void changed() {
        synchronized (this) {
            LeaseLife.State before = noted;
            LeaseLife.State present = latest();
            if (before != null && !ended(before) && before != present) {
                noted = present;
                observers.note(present);
            }
        }
        observers.deliver();
    }

    /** Returns the state without a look at the clock, which might run effects of the engine here. */
    private LeaseLife.State latest() {
        LeaseLife.State known = end.get();
        LeaseLife.State worst = LeaseLife.State.HELD;
        for (LeaseControl lease : leases) {
            worst = worse(worst, lease.lease().life().state());
        }
        return known == null ? worst : known;
    }
}
