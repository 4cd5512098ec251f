package io.hasp.engine;

import static io.hasp.engine.Race.require;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread breaks while it applies an event or starts effects, so that not even the failure can be told: as without memory or stack. */
@Timeout(60)
class BrokenStarterRaceTest {
    private static final long WAIT = TimeUnit.SECONDS.toNanos(10);
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());

    private final AtomicReference<@Nullable Runnable> withinAnEffect = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> onClock = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> seen = new AtomicReference<>();
    private final Queue<Runnable> handedOver = new ConcurrentLinkedQueue<>();
    private final SharedServices services = new SharedServices(
            new OneLockBackend(true),
            new EngineThreads("c", Optional.of(new ScriptedClock()), Optional.of(handedOver::add)),
            notice -> runOnce(withinAnEffect));
    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(new LockName("n")),
            new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, false),
            () -> new HolderId("c"),
            row -> {});
    private final LockDriver driver =
            new LockDriver(machine, services, new RenewalTimer(services, 12, () -> {}), idle -> {});

    /** The driver keeps to itself what an effect throws. */
    private void runOnce(AtomicReference<@Nullable Runnable> script) {
        Runnable task = script.getAndSet(null);
        if (task != null) {
            try {
                task.run();
            } catch (AssertionError e) {
                seen.set(e);
            }
        }
    }

    /** Stands still. */
    private final class ScriptedClock implements Timing {
        @Override
        public long nanoTime() {
            runOnce(onClock);
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    private Contender contender(long wait) {
        return machine.contender(TERMS, RequestExecutor.Request::run, wait, 0);
    }

    private void joinBroken(Contender contender) {
        try {
            driver.join(contender);
            throw new AssertionError("it was not broken");
        } catch (Unspeakable expected) {
            require(!handedOver.isEmpty(), "nobody starts what is left");
        }
    }

    private void runHandedOver() {
        for (Runnable task = handedOver.poll(); task != null; task = handedOver.poll()) {
            task.run();
        }
    }

    private void check(Contender... contenders) {
        Throwable e = seen.get();
        if (e != null) {
            throw new AssertionError(e.getMessage(), e);
        }
        for (Contender contender : contenders) {
            require(contender.result.isDone(), "an effect was not started");
        }
    }

    @Test
    void what_it_leaves_is_not_started_beside_another_starter() {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        Contender second = contender(0);
        withinAnEffect.set(BrokenStarterRaceTest::breakStarter);
        joinBroken(first);
        withinAnEffect.set(() -> {
            ForcedRaceTest.elsewhere(this::runHandedOver);
            require(!second.result.isDone(), "two threads start effects");
        });

        driver.join(second);

        check(first, second);
    }

    /** An event has the lock, and nobody starts effects yet: whoever starts what is left has to wait for the lock. */
    @Test
    void what_it_leaves_is_not_looked_at_within_an_event() throws Exception {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        Contender second = contender(0);
        Contender third = contender(0);
        leave(first, second);
        Thread resuming = new Thread(this::runHandedOver);
        resuming.setDaemon(true);
        AtomicBoolean starting = new AtomicBoolean();
        withinAnEffect.set(() -> {
            if (Thread.currentThread() == resuming) {
                starting.set(true);
                await(third.result::isDone);
            }
        });
        onClock.set(() -> {
            resuming.start();
            await(() -> starting.get() || resuming.getState() == Thread.State.BLOCKED);
        });

        driver.join(third);

        require(!starting.get(), "two threads start effects");
        resuming.join();
        check(first, second, third);
    }

    @Test
    void what_it_leaves_comes_before_later_effects() {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        Contender second = contender(0);
        Contender third = contender(0);
        leave(first, second);
        third.result.thenRun(() -> seen.set(second.result.isDone() ? null : new AssertionError("out of order")));

        driver.join(third);

        check(second, third);
    }

    /** The first one breaks its starter when the second has left its effects to it. */
    private void leave(Contender first, Contender second) {
        withinAnEffect.set(() -> {
            ForcedRaceTest.elsewhere(() -> driver.join(second));
            breakStarter();
        });
        joinBroken(first);
    }

    @Test
    void contender_whose_request_broke_it_hears_of_that() {
        Contender contender = machine.contender(TERMS, request -> breakStarter(), 0, 0);
        joinBroken(contender);

        runHandedOver();

        require(failed(contender), "its outcome is " + contender.result);
    }

    @Test
    void contender_whose_event_broke_it_hears_of_that() {
        Contender contender = contender(0);
        onClock.set(BrokenStarterRaceTest::breakStarter);
        joinBroken(contender);

        runHandedOver();

        require(failed(contender), "its outcome is " + contender.result);
    }

    private static boolean failed(Contender contender) {
        return contender.result.getNow(Outcome.CLOSED) instanceof Outcome.Failed;
    }

    private static void await(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            require(System.nanoTime() - begun < WAIT, "it waits for ever");
            Thread.onSpinWait();
        }
    }

    private static void breakStarter() {
        throw new Unspeakable();
    }

    static final class Unspeakable extends Error {
        private static final long serialVersionUID = 1;

        Unspeakable() {
            super(null, null, false, false);
        }

        @Override
        public String getMessage() {
            throw this;
        }
    }
}
