package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work under a lease that comes to its own end is interrupted before the client gives the lock back, whatever user code blocks. */
@Timeout(60)
class InterruptBeforeWithdrawalTest {
    private static final int RUNS = 200;
    /** So long a release waits at least for the interrupt. */
    private static final Duration TELLING = Duration.ofMillis(20);

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
                                    boolean withdrawn =
                                            grantedAt.get() - begun < (fixed ? end : end.plus(TELLING)).toNanos();
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
