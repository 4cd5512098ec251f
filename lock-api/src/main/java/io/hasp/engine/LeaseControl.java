package io.hasp.engine;

import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LowerCall;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.StackReserve;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A holder's side of one lease. Thread-safe. */
public final class LeaseControl {
    private final SharedServices services;
    private final LockDriver driver;
    private final HeldLease lease;

    LeaseControl(SharedServices services, LockDriver driver, HeldLease lease) {
        this.services = services;
        this.driver = driver;
        this.lease = lease;
    }

    /** The lease itself. */
    public HeldLease lease() {
        return lease;
    }

    /** The name of the lock. */
    public LockName lockName() {
        return driver.machine().about().name();
    }

    /** The belief about the lease right now. */
    public LeaseLife life() {
        return driver.look(lease);
    }

    /** The reason of its loss; null if it is not lost, as far as is known right now. */
    public @Nullable String loss() {
        LeaseLife known = driver.look(lease);
        return known.state() == LeaseLife.State.LOST ? known.reason() : lease.loss();
    }

    /** True if it was given back because its client closes. */
    public boolean endedByClose() {
        return lease.endedByClose();
    }

    /** The engine's clock. */
    public long now() {
        return services.now();
    }

    /** Notifies of each later change, and at once if it has ended already. */
    public void observe(Consumer<LeaseLife.State> observer) {
        driver.observe(lease, observer);
    }

    /** Runs a short task of the client's own when the lease ends; now if it has ended. */
    public void whenEnded(Runnable task) {
        driver.whenEnded(lease, task);
    }

    /** Stops the work under the lease when it ends; now if it has ended. Set it once; it runs its task after the work was stopped. */
    public void stopWorkBy(Consumer<Runnable> stopper) {
        driver.stopWorkBy(lease, stopper);
    }

    /** Gives it back. The lease is over when this returns; the call's result is what the server found. */
    public void giveBack(ReleaseCall call) {
        driver.apply(new Event.GivenBack(lease, call));
    }

    /**
     * Gives it back, and waits for the server's answer. An error on the way ends the client: its user has no other way to give it back.
     *
     * @throws StackOverflowError if too little stack is left; nothing has happened then
     * @throws java.util.concurrent.CompletionException with the cause of a failed release
     */
    public ReleaseCall.Found release() {
        StackReserve.require();
        WaitingCaller executor;
        ReleaseCall call;
        try {
            executor = new WaitingCaller();
            call = new ReleaseCall(executor);
            giveBack(call);
        } catch (Throwable broken) {
            services.failStop.fail(broken);
            throw broken;
        }
        try {
            executor.runUntil(call.result, false, driver, services.calls, null);
            return call.result.join();
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        } finally {
            executor.leave();
        }
    }

    /**
     * Gives several leases back at the same time, and waits for all answers.
     *
     * @param leases of one client; at least one
     * @return a call with its result for each lease, in their order
     * @throws StackOverflowError if too little stack is left; nothing has happened then
     */
    public static List<ReleaseCall> releaseAll(List<LeaseControl> leases) {
        StackReserve.requireTimes(2);
        SharedServices services = leases.get(0).services;
        List<ReleaseCall> calls;
        SeveralCaller caller;
        try {
            caller = new SeveralCaller(services);
            calls = leases.stream().map(lease -> new ReleaseCall(caller)).toList();
            for (int i = 0; i < calls.size(); i++) {
                leases.get(i).giveBack(calls.get(i));
            }
        } catch (Throwable broken) {
            services.failStop.fail(broken);
            throw broken;
        }
        try {
            CompletableFuture<?> all = CompletableFuture.allOf(
                    calls.stream().map(call -> call.result).toArray(CompletableFuture[]::new));
            caller.runUntil(
                    all, false, () -> leases.forEach(lease -> lease.driver.help(all)), () -> trackAll(leases, calls));
            return calls;
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        } finally {
            caller.leave();
        }
    }

    private static void trackAll(List<LeaseControl> leases, List<ReleaseCall> calls) {
        for (int i = 0; i < calls.size(); i++) {
            leases.get(i).track(calls.get(i));
        }
    }

    /** Gives it back without waiting; the result comes with the call. */
    public ReleaseCall beginRelease() {
        StackReserve.require();
        try {
            ReleaseCall call = new ReleaseCall(services.pool);
            giveBack(call);
            return call;
        } catch (Throwable broken) {
            services.failStop.fail(broken);
            throw broken;
        }
    }

    /**
     * Like {@link #beginRelease()}, by an executor of the caller's choice. If this thread has too little stack left, another one gives it
     * back.
     */
    public ReleaseCall beginRelease(RequestExecutor executor) {
        ReleaseCall call = new ReleaseCall(executor);
        services.enteringOrElsewhere(() -> giveBack(call));
        return call;
    }

    /**
     * Keeps only a part of the share. The lease is over when this returns, and the server learns of it as soon as possible.
     *
     * @param user makes the user's object for the lease that replaces it; if it fails, that lease is given back
     * @return that object; empty if the lease was over before
     * @throws java.util.concurrent.CompletionException with a {@code EngineClosedException}, if the client ends in between
     */
    public <T> Optional<T> lower(Share less, Function<LeaseControl, T> user) {
        StackReserve.require();
        LowerCall call = new LowerCall(less);
        boolean done = false;
        try {
            driver.apply(new Event.Lowering(lease, call));
            new WaitingCaller().runUntil(call.result, false, driver, services.calls, null);
            Optional<T> lowered = call.result.join().map(successor -> user.apply(of(successor)));
            done = true;
            return lowered;
        } catch (InterruptedException e) {
            throw new AssertionError("not interruptible", e);
        } finally {
            if (!done) {
                abandon(call);
            }
        }
    }

    private LeaseControl of(HeldLease successor) {
        return new LeaseControl(services, driver, successor);
    }

    /** No other code would release the rest. */
    private void abandon(LowerCall call) {
        call.result.thenAccept(lowered -> lowered.ifPresent(left -> of(left).giveBack(new ReleaseCall(services.pool))));
    }

    /** The result fails if the client ends before it is there. */
    public void track(ReleaseCall call) {
        if (!call.result.isDone()) {
            services.calls.track(call.result);
        }
    }

    /** Waits for the answer to an extension. */
    public Renewal await(CompletionStage<Renewal> extension) {
        return services.calls.join(extension);
    }

    /**
     * Asks the server to keep a fixed lease for longer, without waiting; never fails. The lease has the answer before the stage completes; LOST if it is over by then.
     */
    public CompletionStage<Renewal> beginExtension(Duration longer) {
        return beginExtensions(List.of(this), longer).get(0);
    }

    /**
     * Extends several leases of one client in one call of the backend: a call for each would wait for the server as often, where calls block.
     *
     * @return a stage for each lease, in their order, as that of {@link #beginExtension}
     */
    public static List<CompletionStage<Renewal>> beginExtensions(List<LeaseControl> leases, Duration longer) {
        StackReserve.require();
        Duration whole = LeaseTerms.wholeMilliseconds(longer);
        SharedServices services = leases.get(0).services;
        List<Extension> all = new ArrayList<>();
        for (LeaseControl lease : leases) {
            all.add(lease.extending(whole));
        }
        long sentAt = services.now();
        CompletionStage<List<Renewal>> answers =
                services.backend.renew(all.stream().map(Extension::asked).toList());
        List<CompletionStage<Renewal>> stages = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Extension extension = all.get(i);
            int index = i;
            stages.add(answers.handle((renewals, thrown) ->
                            thrown == null ? renewals.get(index) : new Renewal.Unknown(services.failureOf(thrown)))
                    .thenApply(renewal -> extension.known(sentAt, longer, renewal)));
        }
        return stages;
    }

    private Extension extending(Duration whole) {
        driver.apply(new Event.Extending(lease, whole));
        int interruptions = lease.renewal.interruptions();
        return new Extension(this, lease.grant.withClaim(lease.grant.claim().withLease(whole)), interruptions);
    }

    private record Extension(LeaseControl of, Grant asked, int interruptions) {
        Renewal known(long sentAt, Duration longer, Renewal renewal) {
            if (renewal instanceof Renewal.Lost) {
                of.driver.apply(new Event.Renewed(of.lease, sentAt, renewal));
            }
            Renewal known = renewal instanceof Renewal.Renewed renewed
                    ? of.extended(sentAt, longer, interruptions, renewed)
                    : renewal;
            // Whatever became of the request.
            return of.life().ended() ? new Renewal.Lost("it has ended") : known;
        }
    }

    private Renewal extended(long sentAt, Duration longer, int interruptions, Renewal.Renewed renewed) {
        driver.apply(new Event.Extended(lease, sentAt, Nanos.of(longer), renewed, interruptions));
        return lease.renewal.interruptions() == interruptions ? renewed : new Renewal.Unknown(outdated());
    }

    private static BackendFailure outdated() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.UNKNOWN,
                "the backend was away meanwhile, and the answer may be from before",
                null);
    }
}
