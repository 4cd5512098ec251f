package io.hasp.simulator.clients;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.UserCodeException;
import io.hasp.simulator.world.World;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The ways in which a caller waits for a lock: with a future, in a blocking call, or through a reentrant lock. */
final class AcquireActions {
    private static final Duration[] WAITS = {
        Duration.ofNanos(1),
        Duration.ofMillis(50),
        Duration.ofMillis(700),
        Duration.ofSeconds(3),
        Duration.ofSeconds(12)
    };

    /** The longest time for which an interrupted thread does not run. */
    private static final long LATE = Duration.ofMillis(300).toNanos();

    /** The action of a continuation of the future. */
    private enum Continuation {
        NOTHING,
        RELEASES,
        THROWS,
        /** Its thread, where threads are simulated. */
        BLOCKS;

        static Continuation of(int choice) {
            return choice == 1 ? RELEASES : choice == 2 ? THROWS : choice == 3 ? BLOCKS : NOTHING;
        }
    }

    private final World world;
    private final SimulatedThreads threads;
    private final ClientMonitor monitor;
    private final SimulatedCaller caller;
    private Continuation continuation = Continuation.NOTHING;
    private @Nullable CompletableFuture<?> future;
    /** The number of steps that the blocking call has made. */
    private int stepsMade;
    /** The client began to close before the first step of the blocking call. */
    private boolean cameTooLate;

    AcquireActions(SimulatedCaller caller) {
        this.world = caller.client.world;
        this.threads = caller.client.threads;
        this.monitor = caller.client.monitor;
        this.caller = caller;
    }

    /** A wait of a user that takes several locks. */
    static Duration wait(ChoiceSequence choices) {
        int how = choices.below(8);
        return how < 3 ? SimulatedCaller.FOREVER : how < 5 ? Duration.ZERO : WAITS[choices.below(WAITS.length)];
    }

    void begin() {
        ChoiceSequence choices = world.choices;
        caller.name = choices.below(world.configuration.names());
        int how = choices.below(8);
        caller.chooseOptions();
        caller.share = world.configuration.share(choices);
        // Where permits move from one caller to the next, more waits come to their end.
        boolean threads = world.configuration.hasThreads();
        int forEver = world.configuration.alike() || threads ? 1 : 3;
        // Where threads are preempted, many come and go.
        int tries = threads ? 4 : world.configuration.alike() ? 0 : 2;
        caller.wait = how < forEver
                ? SimulatedCaller.FOREVER
                : how < forEver + tries ? Duration.ZERO : WAITS[choices.below(WAITS.length)];
        boolean blocking = choices.below(2) == 1 && !caller.thread.blocks();
        boolean reentrant =
                blocking && !world.configuration.hasThreads() && caller.share.isExclusive() && choices.below(3) == 1;
        continuation = Continuation.of(choices.below(8));
        stepsMade = 0;
        cameTooLate = false;
        caller.joins();
        noteBegin(reentrant ? "locks " : blocking ? "blocks for " : "asks for ");
        caller.phase = SimulatedCaller.Phase.WAITING;
        monitor.joins(caller);
        if (reentrant) {
            caller.lockActions.lock();
        } else if (blocking) {
            block();
        } else {
            ask();
        }
    }

    private void noteBegin(String how) {
        if (world.trace != null) {
            caller.note(how + world.name(caller.name) + ", wait "
                    + (caller.wait.equals(SimulatedCaller.FOREVER) ? "for ever" : caller.wait)
                    + (caller.share.isExclusive() ? "" : ", " + caller.share)
                    + (caller.hasDefaultOptions() ? "" : ", " + caller.options()));
        }
    }

    boolean asksWithFuture() {
        return future != null;
    }

    private void ask() {
        DistributedLock lock = lock();
        CompletableFuture<?> asked;
        if (caller.wait.equals(SimulatedCaller.FOREVER)) {
            CompletableFuture<Lease> one = lock.acquireAsync();
            asked = one;
            one.whenComplete((lease, thrown) -> completed(one, Optional.ofNullable(lease), thrown));
        } else {
            CompletableFuture<Optional<Lease>> one = lock.tryAcquireAsync(caller.wait);
            asked = one;
            one.whenComplete((lease, thrown) -> completed(one, lease == null ? Optional.empty() : lease, thrown));
        }
        if (caller.phase == SimulatedCaller.Phase.WAITING) {
            future = asked;
        }
    }

    private DistributedLock lock() {
        LockClient client = caller.client.driver.client();
        String name = world.name(caller.name);
        Share share = caller.share;
        if (share.isExclusive()) {
            return client.lock(name, caller.options());
        } else if (share.capacity() != Share.READ_WRITE) {
            return client.semaphore(name, share.capacity(), caller.options()).permits(share.weight());
        }
        DistributedReadWriteLock both = client.readWriteLock(name, caller.options());
        return share.equals(Share.READ) ? both.read() : both.write();
    }

    private void block() {
        try {
            caller.thread.begin(
                    caller.client.driver.acquire(world.name(caller.name), caller.options(), caller.share, caller.wait),
                    lease -> ended(lease, null),
                    e -> ended(Optional.empty(), e));
        } catch (ClientClosedException e) {
            ended(Optional.empty(), e);
        }
    }

    /** The caller's thread makes a step. A client that closes must not let a caller begin to wait. */
    void step() {
        boolean waits = caller.phase == SimulatedCaller.Phase.WAITING && future == null;
        if (waits && stepsMade++ == 0) {
            caller.joinedAt = world.now();
            cameTooLate = caller.client.closing;
        }
        caller.thread.step();
        if (world.configuration.hasThreads()) {
            // The effect that ends the wait may still be left to another thread.
            return;
        }
        if (!waits || caller.phase != SimulatedCaller.Phase.WAITING || !caller.client.closing) {
            return;
        }
        if (!caller.wait.isZero() && !caller.thread.ready()) {
            throw world.violated("no caller waits for a closing client", caller + " does");
        }
        if (cameTooLate && stepsMade > 1) {
            throw world.violated("a closing client takes no caller", caller + " came to it and goes on");
        }
    }

    /** Cancels the future, or interrupts the thread. */
    boolean giveUp() {
        if (future != null) {
            caller.note("cancels");
            caller.client.cancels();
            future.cancel(false);
        } else if (caller.thread.blocks() && !caller.lockActions.keepsInterrupts()) {
            int name = caller.name;
            caller.note("is interrupted");
            caller.phase = SimulatedCaller.Phase.IDLE;
            if (world.choices.oneIn(3)) {
                caller.thread.suspendedUntil = world.now() + LATE;
                caller.client.disturb();
            }
            threads.withoutBlocking(() -> caller.thread.interrupt(() -> {
                caller.note("gives up");
                monitor.leaves(caller, name);
            }));
        }
        return true;
    }

    private void completed(CompletableFuture<?> one, Optional<Lease> lease, @Nullable Throwable thrown) {
        if (caller.phase != SimulatedCaller.Phase.WAITING || (future != null && future != one)) {
            throw world.violated("one outcome", caller + " had an outcome before: " + lease + ", " + thrown);
        }
        future = null;
        threads.userCode("a continuation");
        ended(lease, thrown);
        if (continuation == Continuation.RELEASES
                && caller.phase == SimulatedCaller.Phase.HOLDING
                && caller.tracked != null) {
            caller.leaseActions.release();
        } else if (continuation == Continuation.THROWS) {
            throw new UserCodeException();
        } else if (continuation == Continuation.BLOCKS) {
            threads.perhapsBlocks("a continuation");
        }
    }

    /** The wait has ended with a lease, with empty, or with an exception. */
    void ended(Optional<Lease> lease, @Nullable Throwable thrown) {
        threads.atAStretch(() -> {
            note(lease, thrown);
            return lease;
        });
    }

    private void note(Optional<Lease> lease, @Nullable Throwable thrown) {
        caller.phase = SimulatedCaller.Phase.IDLE;
        if (lease.isPresent()) {
            caller.note("has ", lease.get());
            caller.phase = SimulatedCaller.Phase.HOLDING;
            caller.tracked = monitor.given(caller, lease.get());
            caller.leaseActions.begins(caller.tracked);
        } else if (thrown == null) {
            caller.note("goes without: others hold it");
            monitor.empty(caller);
        } else {
            failed(thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown);
        }
        if (cameTooLate && !(thrown instanceof ClientClosedException)) {
            throw world.violated("a closing client takes no caller", caller + " came to it: " + lease + ", " + thrown);
        }
        if (!(thrown instanceof CancellationException)) {
            monitor.inTime(caller);
        }
    }

    private void failed(Throwable cause) {
        if (world.trace != null) {
            caller.note("fails: " + cause);
        }
        if (cause instanceof CancellationException) {
            monitor.leaves(caller, caller.name);
        } else if (cause instanceof BackendException outage && outage.kind() != BackendException.Kind.OTHER_KIND) {
            monitor.failed(caller, outage);
        }
        boolean known = (cause instanceof BackendException failure
                        && (failure.kind() != BackendException.Kind.OTHER_KIND || world.configuration.mixed()))
                || cause instanceof CancellationException
                || (cause instanceof ClientClosedException && caller.client.closing);
        if (!known) {
            throw world.violated("failures are known", caller + " failed with " + cause);
        }
    }
}
