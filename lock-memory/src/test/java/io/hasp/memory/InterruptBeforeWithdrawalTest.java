package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work under a lease that comes to its own end is interrupted before the client gives the lock back, whatever user code blocks. */
@Timeout(60)
class InterruptBeforeWithdrawalTest {
    private static final int RUNS = 200;
    /** So long a release waits at least for the interrupt. */
    private static final Duration LONGEST_NOTIFICATION = Duration.ofMillis(20);

    private static final Duration BLOCKED = Duration.ofSeconds(20);

    private static final int MORE_THAN_ALL_NOTICES = 40;

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ClientOptions plain = ClientOptions.defaults();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void no_other_client_is_granted_the_lock_before_the_interrupt(boolean fixed) throws Exception {
        Duration end = Duration.ofMillis(10);
        LockOptions options = fixed
                ? LockOptions.defaults().fixedLease(end)
                : LockOptions.defaults().maxHold(end);
        AtomicInteger grantedBefore = new AtomicInteger();
        try (LockClient client = LockClient.over(server.link(), plain.onLoss(OnLoss.INTERRUPT));
                LockClient other = LockClient.over(server.link(), plain)) {
            for (int i = 0; i < RUNS; i++) {
                CompletableFuture<Lease> waiter = new CompletableFuture<>();
                AtomicLong grantedAt = new AtomicLong();
                long begun = System.nanoTime();
                assertThatThrownBy(() -> client.lock("a", options).run(lease -> {
                            other.lock("a").acquireAsync().thenAccept(granted -> {
                                grantedAt.set(System.nanoTime());
                                waiter.complete(granted);
                            });
                            while (!Thread.currentThread().isInterrupted()) {
                                // The interrupt may have come since: it is read after the grant.
                                if (waiter.isDone() && !Thread.currentThread().isInterrupted()) {
                                    // On a machine that stands still the server ends a fixed lease by itself, and an
                                    // end by max hold
                                    // waits for the interrupt no longer.
                                    boolean withdrawn = grantedAt.get() - begun
                                            < (fixed ? end : end.plus(LONGEST_NOTIFICATION)).toNanos();
                                    grantedBefore.addAndGet(withdrawn ? 1 : 0);
                                    break;
                                }
                                Thread.onSpinWait();
                            }
                        }))
                        .isInstanceOf(LeaseLostException.class);
                waiter.get(10, TimeUnit.SECONDS).release();
            }
        }
        assertThat(grantedBefore).as("granted before the interrupt, of " + RUNS).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void observers_that_block_hold_up_no_interrupt(boolean givenExecutor) throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        ClientOptions options = givenExecutor ? plain.executor(Runnable::run) : plain;
        try (LockClient client = LockClient.over(server.link(), options.onLoss(OnLoss.INTERRUPT))) {
            for (int i = 0; !givenExecutor && i < MORE_THAN_ALL_NOTICES; i++) {
                Lease lease = client.lock("observed" + i).acquire();
                lease.onChange(Runnable::run, state -> awaitUninterruptibly(blocked));
                lease.releaseAsync();
            }
            long begun = System.nanoTime();
            assertThatThrownBy(() -> client.lock("a", LockOptions.defaults().maxHold(Duration.ofMillis(50)))
                            .run(lease -> {
                                lease.onChange(Runnable::run, state -> {});
                                Thread.sleep(20_000);
                            }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
            blocked.countDown();
        } finally {
            blocked.countDown();
        }
    }

    /** A call hands its request to an executor of the program that blocks. */
    @Test
    void executor_that_blocks_its_caller_holds_up_no_interrupt() throws Exception {
        BlockingExecutor executor = new BlockingExecutor();
        LockOptions ending = LockOptions.defaults().maxHold(Duration.ofMillis(300));
        try (LockClient client =
                LockClient.over(server.link(), plain.executor(executor).onLoss(OnLoss.INTERRUPT))) {
            DistributedLock permit = client.semaphore("a", 2, ending).permits(1);
            assertThatThrownBy(() -> permit.run(lease -> {
                        executor.blocks = true;
                        daemon(() -> {
                            var unused = permit.acquireAsync();
                        });
                        assertThat(executor.called.await(20, TimeUnit.SECONDS)).isTrue();
                        Thread.sleep(2 * BLOCKED.toMillis());
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(executor.called.getCount()).isZero();
            assertThat(executor.returned)
                    .as("the interrupt waited for the executor")
                    .isFalse();
            executor.released.countDown();
        } finally {
            executor.released.countDown();
        }
    }

    /** The loss is found by a call on a thread of the program's executor, and cancels work on that executor. */
    @Test
    void executor_that_blocks_when_work_is_cancelled_holds_up_no_other_call() throws Exception {
        BlockingExecutor executor = new BlockingExecutor();
        try (LockClient client =
                LockClient.over(server.link(), plain.executor(executor).onLoss(OnLoss.INTERRUPT))) {
            CompletableFuture<Lease> held = new CompletableFuture<>();
            LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(30));
            CompletableFuture<?> cancelled = client.lock("a", fixed).callAsync(lease -> {
                held.complete(lease);
                return new CompletableFuture<>();
            });
            Lease lost = held.get(20, TimeUnit.SECONDS);
            server.expire("a");
            var unused = client.lock("b").callAsync(lease -> {
                executor.blocks = true;
                lost.extend(Duration.ofSeconds(30));
                return CompletableFuture.completedFuture(null);
            });
            assertThat(executor.called.await(20, TimeUnit.SECONDS)).isTrue();
            Lease next = client.lock("a").acquire();
            assertThat(executor.returned)
                    .as("the caller waited for the executor")
                    .isFalse();
            next.close();
            executor.released.countDown();
            assertThat(cancelled).failsWithin(BLOCKED);
        } finally {
            executor.released.countDown();
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has threads for its tasks, and blocks its callers for a while if it is asked to. */
    private static final class BlockingExecutor implements Executor {
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean blocks;
        private volatile boolean returned;

        @Override
        public void execute(Runnable task) {
            if (blocks) {
                called.countDown();
                try {
                    released.await(BLOCKED.toMillis(), TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                returned = true;
            }
            daemon(task);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException e) {
                done = false;
            }
        }
    }
}
