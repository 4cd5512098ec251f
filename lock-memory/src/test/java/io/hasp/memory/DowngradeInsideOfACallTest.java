package io.hasp.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.DistributedReadWriteLock;
import io.hasp.DistributedSemaphore;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that goes on under less than its call acquired: the loss of that is a loss to the call, and the call gives it back. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DowngradeInsideOfACallTest {
    private static final LockOptions OPTIONS =
            LockOptions.defaults().onLoss(OnLoss.INTERRUPT).renewedLease(Duration.ofMillis(300));

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final LockClient client = LockClient.over(server.link(), ClientOptions.defaults());
    private final DistributedReadWriteLock lock = client.readWriteLock("a", OPTIONS);
    private final AtomicReference<Lease> rest = new AtomicReference<>();

    @AfterEach
    void close() {
        client.closeNow();
    }

    private static boolean interruptedBefore(Duration time) {
        try {
            return new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void the_loss_of_the_read_lease_interrupts_and_fails_the_call() {
        AtomicBoolean interrupted = new AtomicBoolean();
        assertThatThrownBy(() -> lock.write().run(written -> {
                    rest.set(lock.downgrade(written));
                    server.expire("a");
                    interrupted.set(interruptedBefore(Duration.ofSeconds(10)));
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(interrupted).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void the_read_lease_ends_with_the_call() throws Exception {
        lock.write().run(written -> rest.set(lock.downgrade(written)));
        assertThat(requireNonNull(rest.get()).state()).isEqualTo(LeaseState.RELEASED);
        try (LockClient other = LockClient.over(server.link(), ClientOptions.defaults());
                Lease written = other.readWriteLock("a").write().tryAcquire().orElseThrow()) {
            assertThat(written.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void the_rest_of_the_permits_ends_with_the_call_and_its_loss_fails_it() throws Exception {
        DistributedSemaphore semaphore = client.semaphore("s", 3, OPTIONS);
        semaphore.permits(3).run(all -> rest.set(semaphore.giveBack(all, 2)));
        assertThat(requireNonNull(rest.get()).state()).isEqualTo(LeaseState.RELEASED);
        assertThatThrownBy(() -> semaphore.permits(3).run(all -> {
                    rest.set(semaphore.giveBack(all, 1));
                    server.expire("s");
                    assertThat(interruptedBefore(Duration.ofSeconds(10))).isTrue();
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void the_same_holds_for_work_that_ends_with_a_future_and_for_calls_under_a_lease() throws Exception {
        lock.write()
                .callAsync(written -> {
                    rest.set(lock.downgrade(written));
                    return CompletableFuture.completedFuture("done");
                })
                .get(10, TimeUnit.SECONDS);
        assertThat(requireNonNull(rest.get()).state()).isEqualTo(LeaseState.RELEASED);
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> lost = lock.write().callAsync(written -> {
            rest.set(lock.downgrade(written));
            server.expire("a");
            return never;
        });
        assertThat(lost)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(never).isCancelled();
        try (Lease written = lock.write().acquire()) {
            assertThatThrownBy(() -> written.call(held -> {
                        rest.set(lock.downgrade(held));
                        server.expire("a");
                        return interruptedBefore(Duration.ofSeconds(10));
                    }))
                    .isInstanceOf(LeaseLostException.class);
        }
    }
}
