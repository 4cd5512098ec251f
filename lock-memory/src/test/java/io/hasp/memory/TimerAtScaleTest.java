package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Timing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fixed leases end at moments of their own. Each of them costs a tick, which does not look at the renewed leases beside it. */
@Timeout(120)
@InTier(Tier.STANDARD)
class TimerAtScaleTest {
    private static final int MANY = 30_000;
    private static final int FEW = 300;
    private static final int ENDING = 200;
    /** Shorter than a third of a lease, so that no renewal is due. */
    private static final Duration FIXED = Duration.ofSeconds(2);

    private final ThreadMXBean processor = ManagementFactory.getThreadMXBean();

    /** The timer's processor time for the same fixed leases, beside a number of renewed ones. */
    private long timerTime(int renewed) throws Exception {
        Timing clock = new RealClock();
        try (LockClient client = LockClient.over(new MemoryServer(clock).link(), ClientOptions.defaults())) {
            List<Lease> leases = new ArrayList<>();
            for (int i = 0; i < renewed; i++) {
                leases.add(client.lock("renewed-" + i, LockOptions.defaults().renewedLease(Duration.ofDays(1)))
                        .acquire());
            }
            List<CompletableFuture<?>> ended = new ArrayList<>();
            for (int i = 0; i < ENDING; i++) {
                Lease lease = client.lock("fixed-" + i, LockOptions.defaults().fixedLease(FIXED))
                        .acquire();
                CompletableFuture<Object> end = new CompletableFuture<>();
                lease.onChange(Runnable::run, end::complete);
                ended.add(end);
                TimeUnit.MILLISECONDS.sleep(1);
            }
            Thread timer = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("hasp-timer-"))
                    .reduce((one, other) -> other)
                    .orElseThrow();
            long before = processor.getThreadCpuTime(timer.getId());
            CompletableFuture.allOf(ended.toArray(new CompletableFuture<?>[0])).get(60, TimeUnit.SECONDS);
            long used = processor.getThreadCpuTime(timer.getId()) - before;
            client.closeNow();
            assertThat(leases).hasSize(renewed);
            return used;
        }
    }

    @Test
    void the_end_of_a_fixed_lease_costs_no_look_at_all_others() throws Exception {
        timerTime(FEW);
        long few = timerTime(FEW);
        long many = timerTime(MANY);
        System.err.printf(
                "timer thread: %d µs beside %d renewed leases, %d µs beside %d%n",
                few / 1_000, FEW, many / 1_000, MANY);
        assertThat(many)
                .as("processor time in nanoseconds beside %s leases", MANY)
                .isLessThan(5 * few + 20_000_000);
    }
}
