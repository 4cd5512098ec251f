package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks of the program that do not end: virtual time passes without them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyCallbacksTest {
    private static final Duration SOON = Duration.ofSeconds(15);

    private static Duration advancing(TestLocks locks, Duration time) {
        long begun = System.nanoTime();
        locks.advance(time);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** As a callback that reads from a socket, whose thread does not seem to wait. */
    @Test
    void a_callback_that_never_ends_is_waited_for_once_and_not_at_each_step() {
        try (TestLocks locks = TestLocks.withVirtualTime()) {
            AtomicBoolean begun = new AtomicBoolean();
            AtomicBoolean ends = new AtomicBoolean();
            CompletableFuture<LeaseState> later =
                    locks.client().lock("a").callAsync(lease -> state(lease, begun, ends));
            await().untilTrue(begun);
            assertThat(advancing(locks, Duration.ofMinutes(2))).isLessThan(SOON);
            ends.set(true);
            assertThat(later).succeedsWithin(SOON).isEqualTo(LeaseState.HELD);
        }
    }

    private static CompletableFuture<LeaseState> state(Lease lease, AtomicBoolean begun, AtomicBoolean ends) {
        begun.set(true);
        while (!ends.get()) {
            Thread.onSpinWait();
        }
        return CompletableFuture.completedFuture(lease.state());
    }

    @Test
    void a_callback_that_needs_a_monitor_of_the_test_is_not_waited_for() {
        try (TestLocks locks = TestLocks.withVirtualTime()) {
            Object monitor = new Object();
            AtomicBoolean begun = new AtomicBoolean();
            CompletableFuture<LeaseState> later;
            synchronized (monitor) {
                later = locks.client().lock("a").callAsync(lease -> {
                    begun.set(true);
                    synchronized (monitor) {
                        return CompletableFuture.completedFuture(lease.state());
                    }
                });
                await().untilTrue(begun);
                assertThat(advancing(locks, Duration.ofMinutes(2))).isLessThan(Duration.ofSeconds(4));
            }
            assertThat(later).succeedsWithin(SOON).isEqualTo(LeaseState.HELD);
        }
    }
}
