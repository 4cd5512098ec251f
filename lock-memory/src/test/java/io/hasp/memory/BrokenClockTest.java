package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A given clock that throws ends no renewal. */
@Timeout(30)
class BrokenClockTest {
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
}
