package io.hasp.engine;

import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.Outcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller's side of one acquisition in progress. Thread-safe. */
public final class Acquisition {
    private final SharedServices services;
    private final LockDriver driver;
    final Contender contender;

    Acquisition(SharedServices services, LockDriver driver, Contender contender) {
        this.services = services;
        this.driver = driver;
        this.contender = contender;
    }

    /** Completes with its outcome; fails with {@code EngineClosedException} if the client ends before. */
    public CompletableFuture<Outcome> result() {
        return contender.result;
    }

    /** Notes that another thread waits for the outcome. Call it once. */
    public void awaitElsewhere() {
        services.calls.track(contender.result);
        sleep();
    }

    /** The caller goes to sleep until the outcome is there. Call it once, before the sleep. */
    public void sleep() {
        driver.apply(new Event.Slept(contender));
    }

    /** Makes its requests on the calling thread until the outcome is there. */
    public void await(WaitingCaller executor, boolean interruptibly, Runnable onFirstRest) throws InterruptedException {
        executor.runUntil(contender.result, interruptibly, driver, services.calls, onFirstRest);
    }

    /** Starts what waits for the calling thread, until the awaited result is there. */
    public void help(CompletableFuture<?> awaited) {
        driver.help(awaited);
    }

    /** The lease of this client that it waits for; null if there is none. */
    public @Nullable HeldLease blockedBy() {
        return driver.holder();
    }

    /** Gives up. A lease that it has acquired nevertheless is given back. If this thread has too little stack left, another one does so. */
    public void abandon() {
        services.enteringOrElsewhere(this::giveUp);
    }

    private void giveUp() {
        contender.executor.leave();
        driver.apply(new Event.GaveUp(contender, Outcome.ABANDONED));
        contender.result.thenAccept(outcome -> {
            if (outcome instanceof Outcome.Acquired acquired) {
                lease(acquired).giveBack(new ReleaseCall(services.pool));
            }
        });
    }

    /** The acquired lease. */
    public LeaseControl lease(Outcome.Acquired acquired) {
        return new LeaseControl(services, driver, acquired.lease());
    }
}
