package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.LogQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A given clock or scheduler that breaks its contract ends no renewal and no wait, and is reported. */
@SuppressWarnings("NullAway") // Null is what a scheduler may give.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class BrokenClockTest {
    private static final Duration LEASE = Duration.ofMillis(1500);
    private static final ClientOptions OPTIONS = ClientOptions.defaults().renewedLease(LEASE);

    private final ScheduledExecutorService threads = Executors.newSingleThreadScheduledExecutor();
    private final MemoryServer server = new MemoryServer(new RealClock());
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile LongSupplier clock = System::nanoTime;
    private volatile Scheduler scheduler = Scheduler.LATE;

    @BeforeEach
    void listen() {
        LogQueue.observe((level, line, thrown) -> {
            if (line.startsWith("the given ")) {
                lines.add(line);
            }
        });
    }

    @AfterEach
    void end() {
        LogQueue.observe((level, line, thrown) -> {});
        threads.shutdownNow();
    }

    enum Scheduler {
        ON_THE_SPOT("ran a task on the thread that handed it over"),
        THROWS("refused a task"),
        REJECTS("refused a task"),
        GIVES_NO_HANDLE("gave no handle"),
        CAN_NOT_WITHDRAW("failed to withdraw"),
        TAKES_AND_THROWS("refused a task"),
        TWICE(""),
        LATE("");

        private final String reported;

        Scheduler(String reported) {
            this.reported = reported;
        }
    }

    private final class Broken implements ClientTiming {
        @Override
        public long nanoTime() {
            return clock.getAsLong();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            switch (scheduler) {
                case ON_THE_SPOT -> {
                    task.run();
                    return () -> {};
                }
                case THROWS -> throw new IllegalStateException("of the test");
                case REJECTS -> throw new RejectedExecutionException("of the test");
                case TAKES_AND_THROWS -> {
                    later(delay, task);
                    throw new IllegalStateException("of the test");
                }
                case GIVES_NO_HANDLE -> {
                    later(delay, task);
                    return null;
                }
                case CAN_NOT_WITHDRAW -> {
                    later(delay, task);
                    return () -> {
                        throw new IllegalStateException("of the test");
                    };
                }
                case TWICE -> {
                    later(delay, task);
                    return later(delay, task);
                }
                default -> {
                    return later(delay.plusMillis(30), task);
                }
            }
        }

        private Timer later(Duration delay, Runnable task) {
            Future<?> scheduled = threads.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        }
    }

    private static void staysHeld(Lease lease) {
        long begun = System.nanoTime();
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            assertThat(lease.state()).isNotEqualTo(LeaseState.LOST);
            return 2 * (System.nanoTime() - begun) > 3 * LEASE.toNanos();
        });
    }

    /** Held and renewed; and waits with an end, which only a timer ends, are over in time. */
    private void works(LockClient client) throws Exception {
        Duration wait = Duration.ofMillis(200);
        try (LockClient other = LockClient.over(server.link(), ClientOptions.defaults());
                Lease taken = other.lock("taken").acquire();
                Lease held = client.lock("a").acquire()) {
            CompletableFuture<?> waiting = client.lock("taken").tryAcquireAsync(wait);
            assertThat(client.lock("taken").tryAcquire(wait)).isEmpty();
            assertThat(waiting).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(Optional.empty());
            staysHeld(held);
            assertThat(taken.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(client.lock("taken").tryAcquire(Duration.ofSeconds(5))).get().satisfies(Lease::close);
    }

    @ParameterizedTest
    @EnumSource(Scheduler.class)
    void le2_a_scheduler_that_breaks_its_contract_ends_no_renewal_and_no_wait(Scheduler broken) throws Exception {
        scheduler = broken;
        try (LockClient client = LockClient.over(server.link(), OPTIONS.timing(new Broken()))) {
            works(client);
        }
        assertThat(server.size()).isZero();
        if (broken.reported.isEmpty()) {
            assertThat(lines).isEmpty();
        } else {
            assertThat(lines).singleElement().asString().startsWith("the given scheduler " + broken.reported);
        }
    }

    @Test
    void le2_a_clock_that_throws_ends_no_renewal() throws Exception {
        try (LockClient client = LockClient.over(server.link(), OPTIONS.timing(new Broken()));
                Lease held = client.lock("a").acquire()) {
            clock = () -> {
                throw new IllegalStateException("of the test");
            };
            staysHeld(held);
            clock = System::nanoTime;
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(lines).containsOnlyOnce("the given clock failed, and the system's clock counts (logged once)");
    }

    /** Once by an hour. */
    @Test
    void le2_a_clock_that_goes_back_ends_no_renewal_and_no_wait() throws Exception {
        try (LockClient client = LockClient.over(server.link(), OPTIONS.timing(new Broken()));
                Lease held = client.lock("before").acquire()) {
            clock = () -> System.nanoTime() - TimeUnit.HOURS.toNanos(1);
            works(client);
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(lines).containsOnlyOnce("the given clock went back, and the system's clock counts (logged once)");
    }

    /** A holder does not count time by a clock that went back: the server's goes on. */
    @Test
    void le2_a_lease_whose_clock_went_back_ends_in_time() throws Exception {
        MemoryLink link = server.link();
        try (LockClient client = LockClient.over(link, OPTIONS.timing(new Broken()))) {
            Lease held = client.lock("a").acquire();
            link.partition();
            clock = () -> System.nanoTime() - TimeUnit.HOURS.toNanos(1);
            await().atMost(LEASE.multipliedBy(3)).until(() -> held.state() == LeaseState.LOST);
            link.heal();
        }
    }
}
