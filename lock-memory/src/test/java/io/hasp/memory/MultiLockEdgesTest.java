package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks at once by blocking calls, and with executors of a program. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiLockEdgesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final LockOptions BRIEF = LockOptions.defaults().fixedLease(Duration.ofMillis(150));

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ClientOptions options = ClientOptions.defaults();
    private final LockClient other = LockClient.over(server.link(), options);
    private LockClient client = LockClient.over(server.link(), options);
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        client.closeNow();
        other.closeNow();
        executor.shutdownNow();
    }

    private MultiLock all(String... names) {
        return client.allOf(List.of(names).stream().map(client::lock).toList());
    }

    private boolean free(String... names) {
        return List.of(names).stream().allMatch(name -> other.lock(name).tryRun(lease -> {}));
    }

    private Lease takenByOther(String name) {
        return other.lock(name).tryAcquire().orElseThrow();
    }

    private void givenExecutor() {
        client.close();
        client = LockClient.over(server.link(), options.executor(executor));
    }

    @Test
    void a_blocking_call_goes_on_after_a_lease_has_ended_during_its_wait() throws Exception {
        Lease b = takenByOther("b");
        DistributedLock brief = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(1)));
        CompletableFuture<LeaseState> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return client.allOf(brief, client.lock("b")).acquire().state();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread.sleep(1_300);
        assertThat(waits).isNotDone();
        b.release();
        assertThat(waits).succeedsWithin(SOON).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_call_on_the_only_thread_of_the_executor_needs_no_other_thread_of_it() {
        givenExecutor();
        Lease b = takenByOther("b");
        CompletableFuture<Optional<MultiLease>> refused =
                CompletableFuture.supplyAsync(() -> all("a", "b", "c").tryAcquire(), executor);
        assertThat(refused).succeedsWithin(SOON).isEqualTo(Optional.empty());
        assertThat(free("a", "c")).isTrue();
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> waits = CompletableFuture.runAsync(
                () -> {
                    try {
                        all("a", "b", "c").run(lease -> {});
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                executor);
        await().atMost(SOON).until(() -> !free("a"));
        await().atMost(SOON).until(() -> free("c"));
        b.release();
        await().atMost(SOON).until(() -> free("a", "b", "c"));
        end.countDown();
        assertThat(waits).succeedsWithin(SOON);
    }

    @Test
    void a_loss_releases_the_other_locks_although_the_only_thread_of_the_executor_works() throws Exception {
        givenExecutor();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> works = CompletableFuture.runAsync(
                () -> {
                    try {
                        client.allOf(client.lock("a"), client.lock("b", BRIEF)).run(lease -> {
                            begun.countDown();
                            end.await();
                        });
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                executor);
        begun.await();
        await().atMost(SOON).until(() -> free("a"));
        end.countDown();
        assertThat(works).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void work_under_one_of_the_leases_does_not_hide_the_loss_of_another_one() {
        LockOptions interrupts = LockOptions.defaults().onLoss(OnLoss.INTERRUPT);
        MultiLease lease = client.allOf(client.lock("a", interrupts), client.lock("b", BRIEF))
                .tryAcquire()
                .orElseThrow();
        lease.lease("a").run(held -> {});
        assertThatThrownBy(() -> lease.run(held -> Thread.sleep(SOON.toMillis())))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
        await().atMost(SOON).until(() -> free("a"));
    }

    @Test
    void a_loss_under_work_of_one_lease_releases_the_others() {
        LockOptions interrupts = LockOptions.defaults().onLoss(OnLoss.INTERRUPT);
        MultiLease lease = client.allOf(client.lock("a", interrupts), client.lock("b", BRIEF))
                .tryAcquire()
                .orElseThrow();
        lease.lease("b").run(held -> {});
        await().atMost(SOON).until(() -> free("a"));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void what_is_left_after_a_downgrade_ends_with_the_call() throws Exception {
        DistributedReadWriteLock lock = client.readWriteLock("rw");
        AtomicReference<Lease> rest = new AtomicReference<>();
        client.allOf(client.lock("a"), lock.write()).run(lease -> rest.set(lock.downgrade(lease.lease("rw"))));
        assertThat(rest.get()).extracting(Lease::state).isEqualTo(LeaseState.RELEASED);
        client.allOf(client.lock("a"), lock.write())
                .callAsync(lease -> {
                    rest.set(lock.downgrade(lease.lease("rw")));
                    return CompletableFuture.completedFuture(1);
                })
                .get(5, TimeUnit.SECONDS);
        assertThat(rest.get()).extracting(Lease::state).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void a_call_inside_of_a_callback_on_a_given_clock_ends() {
        VirtualTime time = new VirtualTime();
        MemoryServer timed = new MemoryServer(time);
        ClientOptions given = ClientOptions.defaults().timing(time).executor(Runnable::run);
        LockClient inside = LockClient.over(timed.link(), given);
        LockClient beside = LockClient.over(timed.link(), given);
        Lease b = beside.lock("b").tryAcquire().orElseThrow();
        AtomicReference<Optional<MultiLease>> result = new AtomicReference<>();
        inside.lock("a")
                .tryAcquire()
                .orElseThrow()
                .releaseAsync()
                .thenRun(() -> result.set(inside.allOf(inside.lock("a"), inside.lock("b"), inside.lock("c"))
                        .tryAcquire()));
        assertThat(result.get()).isEmpty();
        CompletableFuture<Void> inner = inside.lock("a").acquireAsync().thenAccept(lease -> {
            lease.release();
            result.set(inside.allOf(inside.lock("a"), inside.lock("b")).tryAcquire());
        });
        assertThat(inner).isCompleted();
        assertThat(result.get()).isEmpty();
        b.release();
        inside.closeNow();
        beside.closeNow();
    }

    @Test
    void an_error_of_the_backend_in_one_part_ends_each_call() throws Exception {
        ScriptedBackend backend = new ScriptedBackend(server.link());
        LockClient broken = LockClient.over(backend, options);
        Lease c = takenByOther("c");
        MultiLock all = broken.allOf(broken.lock("a"), broken.lock("b"), broken.lock("c"));
        CompletableFuture<MultiLease> waits = all.acquireAsync();
        CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> {
            try {
                broken.allOf(broken.lock("c"), broken.lock("d")).run(lease -> {});
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await().atMost(SOON).until(() -> !free("b"));
        Error error = new NoClassDefFoundError("of the test");
        backend.onAcquire = (claim, call) -> {
            if (claim.name().value().equals("f")) {
                throw error;
            }
            return call.get();
        };
        MultiLock fails = broken.allOf(broken.lock("e"), broken.lock("f"), broken.lock("g"));
        assertThatThrownBy(fails::tryAcquire)
                .isInstanceOf(ClientClosedException.class)
                .hasCause(error);
        assertThat(waits).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(ClientClosedException.class);
        assertThat(blocked).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(ClientClosedException.class);
        c.release();
        broken.close();
    }

    @Test
    void kept_locks_behind_a_refusal_are_free_for_other_clients() throws Exception {
        try (LockClient keeper = LockClient.over(server.link(), options.keep(Duration.ofSeconds(3)))) {
            Lease b = takenByOther("b");
            MultiLock all = keeper.allOf(keeper.lock("a"), keeper.lock("b"), keeper.lock("c"));
            assertThat(all.tryAcquire()).isEmpty();
            assertThat(free("a", "c")).isTrue();
            CompletableFuture<Optional<MultiLease>> waits = all.tryAcquireAsync(SOON);
            await().atMost(SOON).until(() -> !free("a"));
            assertThat(other.lock("c").tryAcquire(Duration.ofSeconds(1)).map(Lease::release))
                    .isPresent();
            b.release();
            assertThat(waits).succeedsWithin(SOON);
            waits.join().orElseThrow().close();
            assertThat(free("a", "b", "c")).isTrue();
        }
    }

    @Test
    void a_close_waits_for_work_under_several_locks_and_then_interrupts_it_once() throws Exception {
        LockClient closing =
                LockClient.over(server.link(), options.onLoss(OnLoss.INTERRUPT).closeWithin(Duration.ofMillis(100)));
        AtomicInteger interrupts = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> works = CompletableFuture.runAsync(() -> {
            try {
                closing.allOf(closing.lock("a"), closing.lock("b"), closing.lock("c"))
                        .run(lease -> {
                            begun.countDown();
                            for (int i = 0; i < 6; i++) {
                                try {
                                    Thread.sleep(100);
                                } catch (InterruptedException e) {
                                    interrupts.incrementAndGet();
                                }
                            }
                        });
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        begun.await();
        closing.close();
        assertThat(works).succeedsWithin(SOON);
        assertThat(interrupts).hasValue(1);
        assertThat(free("a", "b", "c")).isTrue();
    }

    @Test
    void a_wait_of_centuries_and_a_call_inside_of_itself_are_waits_like_others() throws Exception {
        try (MultiLease lease =
                all("a", "b").tryAcquire(Duration.ofDays(365_000)).orElseThrow()) {
            assertThat(all("b", "a").tryAcquire()).isEmpty();
            assertThat(all("b", "a").tryAcquire(Duration.ofMillis(20))).isEmpty();
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(free("a", "b")).isTrue();
    }

    @Test
    void two_listeners_each_receive_the_end_once_whenever_they_come() {
        for (int i = 0; i < 200; i++) {
            MultiLease lease = all("a", "b").tryAcquire().orElseThrow();
            List<LeaseState> seen = new CopyOnWriteArrayList<>();
            lease.onChange(Runnable::run, seen::add);
            CompletableFuture<?> released = lease.releaseAsync();
            lease.onChange(Runnable::run, seen::add);
            released.join();
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(SOON)
                    .until(() -> seen.size() >= 2);
            assertThat(seen).containsExactly(LeaseState.RELEASED, LeaseState.RELEASED);
        }
    }

    @Test
    void a_cancelled_dependent_withdraws_the_acquisition() {
        Lease b = takenByOther("b");
        CompletableFuture<Integer> dependent =
                all("a", "b", "c").acquireAsync().thenApply(lease -> 1).thenApply(one -> one + 1);
        await().atMost(SOON).until(() -> !free("a"));
        dependent.cancel(false);
        await().atMost(SOON).until(() -> free("a", "c"));
        b.release();
        await().atMost(SOON).until(() -> free("a", "b", "c"));
    }

    /** Several times, since compiled and interpreted code need different amounts of stack. */
    @RepeatedTest(5)
    void too_little_stack_leaves_nothing_taken() {
        Lease b = takenByOther("b");
        MultiLock refused = all("a", "b", "c");
        MultiLock works = all("x", "y");
        MultiLock.Action<RuntimeException> nothing = lease -> {};
        int[] ran = new int[2];
        // The first calls link code, which a JVM can't do with little stack.
        assertThat(refused.tryAcquire()).isEmpty();
        assertThat(works.tryRun(nothing)).isTrue();
        deeper(0, () -> {
            if (refused.tryAcquire().isEmpty()) {
                ran[0]++;
            }
        });
        await().atMost(SOON).until(() -> free("a", "c"));
        deeper(0, () -> {
            works.tryRun(nothing);
            ran[1]++;
        });
        await().atMost(SOON).until(() -> free("x", "y"));
        assertThat(ran[0]).isPositive();
        assertThat(ran[1]).isPositive();
        assertThat(all("x").tryRun(lease -> {})).isTrue();
        b.release();
    }

    /** Runs the task at each depth near the end of the stack. */
    @SuppressWarnings("InfiniteRecursion")
    private static int deeper(int depth, Runnable task) {
        int left;
        try {
            left = deeper(depth + 1, task);
        } catch (StackOverflowError end) {
            return 0;
        }
        if (left < 3_000) {
            try {
                task.run();
            } catch (StackOverflowError tooLittle) {
                // Then nothing has happened.
            }
        }
        return left + 1;
    }
}
