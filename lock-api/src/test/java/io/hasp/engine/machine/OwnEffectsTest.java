package io.hasp.engine.machine;

import static io.hasp.engine.races.Race.require;

import io.hasp.engine.OneLockBackend;
import io.hasp.engine.WaitingCaller;
import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.driver.RenewalTimer;
import io.hasp.engine.driver.SharedServices;
import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.races.ForcedRaceTest;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread starts the effects of its own event; those for others are a worker's, and all that users notice if it is the timer's. */
@Timeout(60)
public class OwnEffectsTest {
    private static final long WAIT = TimeUnit.SECONDS.toNanos(10);
    private static final LeaseTerms TERMS = LeaseTerms.of(OneLockBackend.LEASE, Optional.empty(), Optional.empty());

    private final AtomicReference<@Nullable Runnable> withinAnEffect = new AtomicReference<>();
    private final Queue<String> notifiers = new ConcurrentLinkedQueue<>();
    private final AtomicLong holders = new AtomicLong();
    private final EngineThreads threads = new EngineThreads("c", Optional.empty(), Optional.of(Runnable::run));
    private final SharedServices services = new SharedServices(new OneLockBackend(true), null, threads, this::reported);
    private final LockMachine machine = new LockMachine(
            NameAndCapacity.exclusive(new LockName("n")),
            new EngineSettings(OneLockBackend.LEASE.toNanos(), WAIT, 0, WAIT, false, false),
            () -> new HolderId("c" + holders.incrementAndGet()),
            row -> {});
    private final RenewalTimer renewals = new RenewalTimer(services, TimeUnit.SECONDS.toNanos(3), () -> {});
    private final LockDriver driver = new LockDriver(machine, services, renewals, idle -> {});

    @AfterEach
    void end() {
        threads.stop();
    }

    private void reported(Notice notice) {
        if (notice instanceof Notice.Contended) {
            notifiers.add(Thread.currentThread().getName());
        }
        Runnable task = withinAnEffect.getAndSet(null);
        if (task != null) {
            task.run();
        }
    }

    private Contender contender(long wait) {
        return machine.contender(TERMS, RequestExecutor.Request::run, wait, services.now());
    }

    /** Its request is answered where it is made, within an effect; so a worker starts what follows. */
    private HeldLease held() throws Exception {
        Contender holder = contender(WAIT);
        driver.join(holder);
        awaitEnd(holder);
        while (!driver.answered()) {
            Thread.onSpinWait();
        }
        return ((Outcome.Acquired) holder.result.join()).lease();
    }

    private static void awaitEnd(Contender contender) throws Exception {
        contender.result.get(WAIT, TimeUnit.NANOSECONDS);
    }

    @Test
    void effects_that_come_for_others_are_a_workers() throws Exception {
        held();
        Contender own = contender(0);
        Contender others = contender(0);
        withinAnEffect.set(() -> ForcedRaceTest.elsewhere(() -> driver.join(others)));

        driver.join(own);

        require(own.result.isDone(), "it did not start its own effects");
        awaitEnd(others);
        String caller = Thread.currentThread().getName();
        require(caller.equals(notifiers.poll()), "its own effects are another's");
        String notifier = String.valueOf(notifiers.poll());
        require(notifier.startsWith("hasp-effect-"), "those for another caller are started by " + notifier);
    }

    @Test
    void timer_starts_nothing_that_users_notice() throws Exception {
        held();
        Contender waiting = contender(Duration.ofMillis(20).toNanos());
        driver.join(waiting);
        driver.apply(new Event.Slept(waiting));

        awaitEnd(waiting);

        String notifier = String.valueOf(notifiers.poll());
        require(notifier.startsWith("hasp-effect-"), "the end of a wait is told by " + notifier);
    }

    /** A caller hands its request to an executor of the program, which may block. */
    @Test
    void executor_that_blocks_its_caller_holds_up_nobody() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        EngineThreads given = new EngineThreads("g", Optional.empty(), Optional.of(task -> {
            called.countDown();
            awaitUninterruptibly(released);
        }));
        SharedServices blocking = new SharedServices(new OneLockBackend(true), null, given, this::reported);
        LockDriver blocked = new LockDriver(machine, blocking, renewals, idle -> {});
        Thread caller = new Thread(() -> {
            boolean entered = given.enterUser();
            blocked.join(machine.contender(TERMS, blocking.pool, 0, blocking.now()));
            given.leaveUser(entered);
        });
        caller.setDaemon(true);
        caller.start();
        require(called.await(WAIT, TimeUnit.NANOSECONDS), "the executor is not called");
        Contender other = contender(0);
        Thread others = new Thread(() -> blocked.join(other));
        others.setDaemon(true);
        others.start();

        try {
            other.result.get(WAIT, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("another caller waits for the executor", e);
        } finally {
            released.countDown();
            given.stop();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await(2 * WAIT, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A user's executor may run a callback on the spot, and that may wait for what another thread does. */
    @Test
    void starter_that_waits_within_an_effect_holds_up_nobody() throws Exception {
        HeldLease lease = held();
        Contender nested = contender(WAIT);
        withinAnEffect.set(() -> {
            driver.join(nested);
            Thread waiter = Thread.currentThread();
            Thread releasing = new Thread(() -> {
                while (waiter.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                }
                driver.apply(new Event.GivenBack(lease, new ReleaseCall(RequestExecutor.Request::run)));
            });
            releasing.setDaemon(true);
            try {
                new WaitingCaller().runUntil(nested.result, true, driver, services.calls, releasing::start);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Contender first = contender(0);

        ForcedRaceTest.elsewhere(() -> driver.join(first));

        awaitEnd(first);
        awaitEnd(nested);
    }
}
