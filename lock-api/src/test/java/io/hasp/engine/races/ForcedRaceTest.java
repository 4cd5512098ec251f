package io.hasp.engine.races;

import static io.hasp.engine.races.Race.require;

import io.hasp.engine.Acquisition;
import io.hasp.engine.HandTiming;
import io.hasp.engine.LockEngine;
import io.hasp.engine.OneLockBackend;
import io.hasp.engine.WaitingCaller;
import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.RenewalTimer;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.driver.UnansweredCalls;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.machine.Contender;
import io.hasp.engine.machine.Event;
import io.hasp.engine.machine.LockMachine;
import io.hasp.engine.machine.NameAndCapacity;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Crossings that are too rare to wait for, and waits that Lincheck would end by itself: a scripted collaborator forces them. */
@Timeout(60)
public class ForcedRaceTest {
    private static final long WAIT = TimeUnit.SECONDS.toNanos(10);
    private static final long HANGS_AFTER_MILLIS = 5_000;
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());

    private final AtomicReference<@Nullable Runnable> withinAnEffect = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> seen = new AtomicReference<>();
    private final SharedServices services = new SharedServices(
            new OneLockBackend(true),
            null,
            new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(Runnable::run)),
            this::reported);
    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(new LockName("n")),
            new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, false),
            () -> new HolderId("c"),
            row -> {});
    private final LockDriver driver =
            new LockDriver(machine, services, new RenewalTimer(services, 12, () -> {}), this::retired);
    private final AtomicInteger timesRetired = new AtomicInteger();
    private final UnansweredCalls calls = new UnansweredCalls();

    private void retired(LockDriver idle) {
        timesRetired.incrementAndGet();
    }

    private void reported(Notice notice) {
        Runnable task = withinAnEffect.getAndSet(null);
        if (task != null) {
            try {
                task.run();
            } catch (AssertionError e) {
                seen.set(e);
            }
        }
    }

    /** The driver keeps to itself what an effect throws. */
    private void check() {
        Throwable e = seen.get();
        if (e != null) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    private Contender contender(long wait) {
        return machine.contender(TERMS, RequestExecutor.Request::run, wait, 0);
    }

    /** Fails when it hangs. */
    public static void elsewhere(Race.Racer task) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                task.run();
                done.complete(true);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(HANGS_AFTER_MILLIS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        require(done.isDone(), "it waits for ever");
        done.join();
    }

    @Test
    void effects_that_come_during_an_effect_are_left_to_its_starter() {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        Contender second = contender(0);
        withinAnEffect.set(() -> {
            elsewhere(() -> driver.join(second));
            require(!second.result.isDone(), "two threads start effects");
        });

        driver.join(first);

        check();
        require(first.result.isDone() && second.result.isDone(), "an effect was not started");
    }

    @Test
    void thread_that_only_waits_leaves_the_effects_to_their_starter() {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        withinAnEffect.set(() -> {
            elsewhere(() -> driver.help(new CompletableFuture<>()));
            require(!first.result.isDone(), "it started the effects of another thread");
        });

        driver.join(first);

        check();
        require(first.result.isDone(), "an effect was not started");
    }

    @Test
    void starter_that_waits_within_an_effect_gets_what_it_waits_for() {
        driver.join(contender(WAIT));
        Contender first = contender(0);
        Contender second = contender(0);
        withinAnEffect.set(() -> {
            driver.join(second);
            try {
                new WaitingCaller().runUntil(second.result, true, driver, calls, null);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        elsewhere(() -> driver.join(first));

        check();
        require(first.result.isDone() && second.result.isDone(), "an effect was not started");
    }

    /** The one that is woken often takes the processor from the one that woke it. */
    @Test
    void thread_that_is_woken_does_not_wait_for_the_one_that_woke_it() {
        Contender second = contender(0);
        AtomicInteger ended = new AtomicInteger();

        elsewhere(() -> {
            WaitingCaller executor = new WaitingCaller();
            Contender first = machine.contender(TERMS, executor, WAIT, 0);
            first.result.thenRun(() -> {
                elsewhere(() -> driver.join(second));
                ended.set(second.result.isDone() ? 1 : -1);
            });
            driver.join(first);
            executor.runUntil(first.result, true, driver, calls, null);
        });

        require(ended.get() == 1, "its effects are left to the thread that woke it");
    }

    @Test
    void driver_does_not_retire_within_its_last_effect() {
        driver.join(contender(WAIT));
        ReleaseCall release = new ReleaseCall(RequestExecutor.Request::run);
        AtomicInteger early = new AtomicInteger(-1);
        release.result.thenRun(() -> {
            elsewhere(() -> {
                require(driver.enter(), "it has retired");
                driver.leave();
            });
            early.set(timesRetired.get());
        });

        driver.apply(new Event.GivenBack(Objects.requireNonNull(machine.holder()), release));

        require(early.get() == 0, "it retires before its last effect was started");
        require(timesRetired.get() == 1, "it does not retire");
    }

    /** As a backend does that blocks in what the caller did before it goes to sleep: it uses up the permit. */
    @Test
    void turn_that_woke_its_caller_elsewhere_is_run() {
        elsewhere(() -> {
            WaitingCaller executor = new WaitingCaller();
            CompletableFuture<String> result = new CompletableFuture<>();
            executor.runUntil(result, true, driver, calls, () -> {
                elsewhere(() -> executor.execute(new Completing(result)));
                LockSupport.park();
            });
        });
    }

    @Test
    void result_that_woke_its_caller_elsewhere_is_seen() {
        elsewhere(() -> {
            CompletableFuture<String> result = new CompletableFuture<>();
            new WaitingCaller().runUntil(result, true, driver, calls, () -> {
                elsewhere(() -> result.complete("done"));
                LockSupport.park();
            });
        });
    }

    /** A driver that is made during the look may be one that the look does not find. */
    @Test
    void callers_who_come_while_a_client_that_closes_looks_at_its_drivers_hear_of_that() {
        AtomicReference<Runnable> onRequest = new AtomicReference<>(() -> {});
        EngineThreads threads = new EngineThreads("c", Optional.of(new HandTiming()), Optional.of(request -> {
            onRequest.getAndSet(() -> {}).run();
            request.run();
        }));
        EngineSettings settings = new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, false);
        LockEngine engine = new LockEngine(new OneLockBackend(true), threads, "c", settings, notice -> {}, () -> {});
        LeaseTerms terms = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());
        List<Acquisition> late = new ArrayList<>();
        engine.acquire(new LockName("m"), terms, WAIT, engine.pool());
        onRequest.set(() -> "abcdefgno"
                .chars()
                .forEach(name -> late.add(engine.acquire(new LockName("" + (char) name), terms, WAIT, engine.pool()))));

        engine.giveEverythingBack();

        require(late.size() == 9, "nobody came");
        late.forEach(caller -> require(caller.result().isDone(), "a caller waits for a client that has closed"));
    }

    private record Completing(CompletableFuture<String> result) implements RequestExecutor.Request {
        @Override
        public void run() {
            result.complete("done");
        }

        @Override
        public void drop() {
            throw new AssertionError("dropped");
        }
    }
}
