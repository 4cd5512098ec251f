package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two callers of the client under test, of which one waits for the other. The service knows nothing of such a wait. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnCallersTest {
    private final ExecutorService second = Executors.newSingleThreadExecutor(task -> new Thread(task, "second"));

    @AfterEach
    void close() {
        second.shutdownNow();
    }

    private static Lease lockedBySecond(LockClient client) {
        try {
            return client.lock("a").acquire();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ReleaseResult releasedByFirst(Lease lease) {
        return lease.release();
    }

    private CompletableFuture<Lease> waiting(TestLocks locks) {
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> lockedBySecond(locks.client()), second);
        locks.awaitRequest("a");
        return waiter;
    }

    @Test
    void a_call_that_waited_for_another_one_is_recorded_with_its_own_thread_and_place() throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            try (TestLocks locks = virtual ? TestLocks.withVirtualTime() : TestLocks.create()) {
                Lease first = locks.client().lock("a").acquire();
                CompletableFuture<Lease> waiter = waiting(locks);
                assertThat(waiter).isNotDone();
                assertThat(releasedByFirst(first)).isEqualTo(ReleaseResult.RELEASED);
                assertThat(waiter).succeedsWithin(Duration.ofSeconds(10));
                assertThatThrownBy(locks::assertNothingHeld)
                        .hasMessageContaining("a lock is still held")
                        .hasMessageContaining("requested by thread 'second'")
                        .hasMessageContaining("OwnCallersTest.lockedBySecond(")
                        .hasMessageNotContaining("releasedByFirst");
                locks.assertLocked("a", "a");
            }
        }
    }

    /** Its request is a task of the client's threads that has not begun. */
    @Test
    void a_lock_that_an_asynchronous_call_is_about_to_take_is_a_leak() {
        for (boolean virtual : new boolean[] {false, true}) {
            for (int i = 0; i < 3; i++) {
                try (TestLocks locks = virtual ? TestLocks.withVirtualTime() : TestLocks.create()) {
                    CompletableFuture<Lease> forgotten =
                            locks.client().lock("a").acquireAsync();
                    assertThatThrownBy(locks::assertNothingHeld)
                            .as("of %s", forgotten)
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("a lock is still held");
                }
            }
        }
    }

    @Test
    void a_lock_that_is_held_and_not_waited_for_is_no_request_that_was_awaited() throws Exception {
        try (TestLocks locks = TestLocks.create()) {
            Lease first = locks.client().lock("a").acquire();
            CompletableFuture<Void> awaited = CompletableFuture.runAsync(() -> locks.awaitRequest("a"), second);
            assertThatThrownBy(() -> awaited.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            CompletableFuture<Lease> waiter = locks.client().lock("a").acquireAsync();
            assertThat(awaited).succeedsWithin(Duration.ofSeconds(5));
            first.close();
            waiter.join().close();
        }
    }
}
