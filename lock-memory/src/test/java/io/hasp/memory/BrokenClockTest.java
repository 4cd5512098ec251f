package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A given clock that throws or goes backwards ends no renewal, and hides no end of a lease. */
@Timeout(30)
class BrokenClockTest {
    private final VirtualTime time = new VirtualTime();
    private final AtomicLong back = new AtomicLong();
    private final ClientTiming broken = new ClientTiming() {
        @Override
        public long nanoTime() {
            return time.nanoTime() - back.get();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
        }
    };
    private final LockClient client = LockClient.over(
            new MemoryServer(time).link(),
            ClientOptions.defaults().timing(broken).executor(Runnable::run));

    @AfterEach
    void close() {
        client.closeNow();
    }

    @Test
    void le2_a_clock_that_throws_ends_no_renewal() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ClientTiming timing = new ClientTiming() {
            @Override
            public long nanoTime() {
                if (fails.get()) {
                    throw new IllegalStateException("of the test");
                }
                return System.nanoTime();
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                Future<?> scheduled = scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }
        };
        Duration lease = Duration.ofMillis(600);
        try (LockClient onBroken = LockClient.over(
                        new MemoryServer(new RealClock()).link(),
                        ClientOptions.defaults().timing(timing).renewedLease(lease));
                Lease held = onBroken.lock("a").acquire()) {
            fails.set(true);
            TimeUnit.NANOSECONDS.sleep(lease.multipliedBy(3).toNanos());
            fails.set(false);
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void le5_a_clock_that_goes_backwards_ends_no_renewal_and_hides_no_end() {
        Lease renewed = client.lock("a").tryAcquire().orElseThrow();
        Lease fixed = client.lock("b", LockOptions.defaults().fixedLease(Duration.ofMinutes(2)))
                .tryAcquire()
                .orElseThrow();
        time.advance(Duration.ofSeconds(30));
        back.set(Duration.ofHours(5).toNanos());
        assertThat(fixed.remaining()).isBetween(Duration.ofSeconds(88), Duration.ofSeconds(90));
        time.advance(Duration.ofSeconds(100));
        assertThat(renewed.state()).isEqualTo(LeaseState.HELD);
        assertThat(fixed.state()).isEqualTo(LeaseState.LOST);
    }
}
