package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** AP and LE: the threads of Hasp's client, the end of a client, and the limit of a lease's time. */
public interface ClientRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Renewal stops at the limit, the holder is notified, and the next client gets the lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le7_max_hold_ends_renewal_and_the_lock() throws Exception {
        Duration maxHold = Timings.lease().multipliedBy(2);
        try (LockClient client = subject().connect();
                LockClient other = subject().connect();
                MachineLateness lateness = new MachineLateness()) {
            String name = "rule-" + UUID.randomUUID();
            long asked = System.nanoTime();
            Lease lease =
                    client.lock(name, LockOptions.defaults().maxHold(maxHold)).acquire();
            long granted = System.nanoTime();
            Lease next = other.lock(name)
                    .tryAcquire(maxHold.plus(Timings.longWait()))
                    .orElseThrow(() -> new AssertionError("a lease goes on after its longest time"));
            long ended = System.nanoTime();
            assertThat(lease.state()).as("the first lease").isEqualTo(LeaseState.LOST);
            assertThat(Duration.ofNanos(ended - asked))
                    .as("a lease of at most " + maxHold + " was held for no more than")
                    .isGreaterThan(maxHold.multipliedBy(9).dividedBy(10));
            assertThat(Duration.ofNanos(ended - granted))
                    .as("a lease of at most " + maxHold + " was held for no less than")
                    .isLessThan(maxHold.plus(Timings.tolerance()).plus(lateness.allowance()));
            assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
            assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /**
     * All work of a client runs on one thread of the user's, with callers that block and callers that don't.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ap5_pool_of_one_thread_starves_nobody() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try (LockClient client = subject().connect(options -> options.executor(one));
                LockClient other = subject().connect();
                RuleRun run = new RuleRun(subject())) {
            Lease kept = client.lock(run.lock()).acquire();
            List<CompletableFuture<ReleaseResult>> asynchronous = new ArrayList<>();
            List<RuleRun.Task<ReleaseResult>> blocking = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                DistributedLock lock = client.lock(run.lock() + "-" + i % 3);
                asynchronous.add(lock.acquireAsync().thenCompose(Lease::releaseAsync));
                blocking.add(run.start(() -> lock.acquire().release()));
            }
            CompletableFuture.allOf(asynchronous.toArray(CompletableFuture[]::new))
                    .get(Timings.longWait().toNanos(), TimeUnit.NANOSECONDS);
            for (RuleRun.Task<ReleaseResult> task : blocking) {
                assertThat(task.get(Timings.longWait())).isEqualTo(ReleaseResult.RELEASED);
            }
            assertKept(kept, other, Timings.lease().multipliedBy(2));
        } finally {
            one.shutdownNow();
        }
    }

    /**
     * Users' callbacks never return. Waiting, waking and renewal continue.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ap5_callbacks_that_block_hold_up_nobody() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect();
                RuleRun run = new RuleRun(subject());
                AutoCloseable unblocked = end::countDown) {
            Lease kept = client.lock(name).acquire();
            CountDownLatch blocked = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                CompletableFuture<Lease> granted =
                        client.lock(name + "-blocked-" + i).acquireAsync();
                // On a thread of its own: a callback of a stage that is complete already runs where it is attached.
                run.start(() -> granted.thenAccept(lease -> {
                    blocked.countDown();
                    awaitUninterruptibly(end);
                    lease.release();
                }));
            }
            assertThat(blocked.await(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS))
                    .as("callbacks were called")
                    .isTrue();
            Lease theirs = other.lock(name + "-waking").acquire();
            CompletableFuture<Lease> waiter = client.lock(name + "-waking").acquireAsync();
            theirs.release();
            Lease woken = waiter.get(Timings.tolerance().toNanos(), TimeUnit.NANOSECONDS);
            assertThat(woken.state()).isEqualTo(LeaseState.HELD);
            woken.release();
            assertKept(kept, other, Timings.lease().multipliedBy(2));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertKept(Lease kept, LockClient other, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        Awaitility.await().atMost(time.plus(Timings.longWait())).until(() -> {
            assertThat(kept.state()).as("a lease meanwhile").isEqualTo(LeaseState.HELD);
            assertThat(other.lock(kept.name()).tryAcquire()).as("it is held").isEmpty();
            return System.nanoTime() - end > 0;
        });
        assertThat(kept.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /**
     * Many more virtual threads than threads of the system, on a few locks.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap5_virtual_threads_all_get_their_turn() throws Exception {
        int count = Tier.count(1_000, 10_000);
        CountDownLatch done = new CountDownLatch(count);
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect()) {
            Runnable cycle = () -> {
                try {
                    int lock = Math.floorMod(System.identityHashCode(Thread.currentThread()), 10);
                    if (client.lock(name + "-" + lock).acquire().release() == ReleaseResult.RELEASED) {
                        done.countDown();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            for (int i = 0; i < count; i++) {
                startVirtual(cycle);
            }
            done.await(2, TimeUnit.MINUTES);
            assertThat(done.getCount()).as("virtual threads that wait still").isZero();
        }
    }

    /** By reflection, because the suite is compiled for Java 17. */
    private static void startVirtual(Runnable task) throws Exception {
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (NoSuchMethodException e) {
            throw new EnvironmentMissingException("Java " + Runtime.version().feature() + " has no virtual threads");
        }
    }

    /**
     * {@code closeNow} fails waiters, releases held locks, and no thread outlives its client.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap6_close_now_fails_waiters_releases_holders_and_ends_its_threads() throws Exception {
        subject().connect().close();
        Set<Thread> before = threads();
        try (RuleRun run = new RuleRun(subject());
                LockClient other = subject().connect()) {
            String mine = run.lock() + "-mine";
            String theirs = run.lock() + "-theirs";
            Lease inTheWay = other.lock(theirs).acquire();
            LockClient client = subject().connect();
            Lease held = client.lock(mine).acquire();
            CompletableFuture<Lease> waiter = client.lock(theirs).acquireAsync();
            RuleRun.Task<Lease> blocked = run.start(() -> client.lock(theirs).acquire());
            blocked.awaitBlocked();

            client.closeNow();

            assertClosed(waiter);
            assertClosed(blocked.result());
            assertThatThrownBy(() -> client.lock(mine).tryAcquire()).isInstanceOf(ClientClosedException.class);
            assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
            assertThat(other.lock(mine).tryAcquire(Timings.tolerance()))
                    .as("what a closed client held")
                    .hasValueSatisfying(Lease::close);
            assertThat(inTheWay.release()).isEqualTo(ReleaseResult.RELEASED);
        }
        Awaitility.await("the clients' threads end")
                .atMost(Timings.longWait())
                .untilAsserted(() -> assertThat(since(before)).isEmpty());
    }

    private static void assertClosed(CompletableFuture<Lease> waiting) {
        assertThat(waiting)
                .as("who waits for a lock of a client that is closed")
                .failsWithin(Timings.tolerance())
                .withThrowableThat()
                .withCauseInstanceOf(ClientClosedException.class);
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    /** Without those that the JVM and the tests' own tools start when they like. */
    private static Set<String> since(Set<Thread> before) {
        Set<Thread> now = threads();
        now.removeAll(before);
        return now.stream()
                .map(Thread::getName)
                .filter(name ->
                        !name.matches("(ForkJoinPool.*|.*[Aa]waitility.*|CompletableFutureDelay.*|rule-client)"))
                .collect(Collectors.toSet());
    }
}
