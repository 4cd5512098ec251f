package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.test.LockRecord.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hours pass in milliseconds, and nothing happens but what the time brings. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualTimeTest {
    private final TestLocks locks = TestLocks.withVirtualTime();
    private final LockClient client = locks.client();

    @AfterEach
    void close() {
        locks.close();
    }

    private Lease held(String name, LockOptions options) {
        return client.lock(name, options).tryAcquire().orElseThrow();
    }

    /** Renewals run on threads of the kit; a step that does not wait for them loses the lease. */
    @RepeatedTest(5)
    void a_renewed_lease_is_held_for_as_long_as_it_takes() {
        Lease lease = held("a", LockOptions.defaults());
        locks.makeBusy("b");
        locks.advance(Duration.ofHours(1));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.remaining()).isGreaterThanOrEqualTo(Duration.ofSeconds(14));
        assertThat(client.lock("b").tryAcquire()).as("held by the other client").isEmpty();
        assertThat(locks.locked()).extracting(LockRecord::outcome).containsExactly(Outcome.HELD);
    }

    @Test
    void a_fixed_lease_and_a_max_hold_end_in_time() {
        Lease fixed = held("fixed", LockOptions.defaults().fixedLease(Duration.ofMinutes(5)));
        Lease capped = held("capped", LockOptions.defaults().maxHold(Duration.ofMinutes(5)));
        locks.advance(Duration.ofSeconds(290));
        assertThat(fixed.state()).isEqualTo(LeaseState.HELD);
        assertThat(capped.state()).isEqualTo(LeaseState.HELD);
        locks.advance(Duration.ofSeconds(10));
        assertThat(fixed.state()).isEqualTo(LeaseState.LOST);
        assertThat(capped.state()).isEqualTo(LeaseState.LOST);
        locks.assertNothingHeld();
    }

    @Test
    void a_lease_is_lost_when_an_outage_lasts_and_another_client_gets_the_lock_then() {
        Lease lease = held("a", LockOptions.defaults());
        locks.makeUnavailable();
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        assertThat(locks.otherClient().lock("a").tryAcquire()).isEmpty();
        locks.advance(Duration.ofSeconds(30));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(locks.otherClient().lock("a").tryAcquire()).isPresent();
        assertThat(locks.locked()).extracting(LockRecord::outcome).containsExactly(Outcome.LOST);
    }

    @Test
    void a_lease_is_held_after_a_short_outage() {
        Lease lease = held("a", LockOptions.defaults());
        locks.makeUnavailable();
        locks.advance(Duration.ofSeconds(20));
        locks.makeAvailable();
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        locks.advance(Duration.ofHours(1));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_wait_ends_when_its_time_has_passed_and_not_before() {
        locks.makeBusy("a");
        CompletableFuture<Optional<Lease>> waiter = client.lock("a").tryAcquireAsync(Duration.ofSeconds(100));
        locks.awaitRequest("a");
        locks.advance(Duration.ofSeconds(90));
        assertThat(waiter).isNotDone();
        locks.advance(Duration.ofSeconds(20));
        assertThat(waiter.join()).isEmpty();
    }

    @RepeatedTest(5)
    void a_waiting_thread_gets_the_lock_that_becomes_free() {
        OtherHold hold = locks.makeBusy("a");
        CompletableFuture<Optional<Lease>> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                return client.lock("a").tryAcquire(Duration.ofMinutes(10));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        locks.awaitRequest("a");
        locks.advance(Duration.ofMinutes(9));
        hold.close();
        assertThat(waiter.join()).isPresent();
    }

    /** The server takes a waiter that it did not hear of for 300 ms for dead. */
    @Test
    void a_waiter_that_the_server_took_for_dead_gets_the_lock_that_becomes_free() {
        OtherHold hold = locks.makeBusy("a");
        locks.delay(Duration.ofSeconds(1));
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        locks.awaitRequest("a");
        locks.delay(Duration.ZERO);
        locks.advance(Duration.ofSeconds(1));
        hold.close();
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(5));
    }

    /** Another instance of the program may wait in a thread as well; a step that does not wait for it ends behind its last poll. */
    @Test
    void a_waiting_thread_of_the_other_client_gets_the_lock_that_becomes_free() {
        for (int i = 0; i < 30; i++) {
            try (TestLocks own = TestLocks.withVirtualTime()) {
                Lease lease = own.client().lock("a").tryAcquire().orElseThrow();
                CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> acquired(own.otherClient()));
                await().pollInterval(Duration.ofMillis(1))
                        .until(() ->
                                own.client().inspector().lock("a").orElseThrow().waiting() == 1);
                own.advance(Duration.ofSeconds(10));
                lease.close();
                assertThat(waiter).succeedsWithin(Duration.ofSeconds(5));
            }
        }
    }

    private static Lease acquired(LockClient client) {
        try {
            return client.lock("a").acquire();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_waiter_whose_request_failed_asks_again_when_the_service_is_available() {
        locks.makeUnavailable();
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        locks.awaitRequest("a");
        locks.advance(Duration.ofSeconds(10));
        locks.makeAvailable();
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(5));
    }

    /** The thread repeats its request after each pause; a step that does not wait for it lets the whole time pass at once. */
    @RepeatedTest(5)
    void a_waiting_thread_fails_when_an_outage_lasts() {
        locks.makeUnavailable();
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> client.lock("a").acquire()).isInstanceOf(BackendException.class));
        locks.awaitRequest("a");
        locks.advance(Duration.ofSeconds(20));
        assertThat(waiter).isNotDone();
        locks.advance(Duration.ofSeconds(20));
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(10));
    }

    @RepeatedTest(5)
    void a_thread_that_waits_for_several_locks_fails_when_an_outage_lasts() {
        locks.makeUnavailable();
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> assertThatThrownBy(
                        () -> client.allOf(client.lock("a"), client.lock("b")).acquire())
                .isInstanceOf(BackendException.class));
        locks.awaitRequest("a");
        locks.advance(Duration.ofMinutes(1));
        assertThat(waiter).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void an_answer_comes_when_its_delay_has_passed() {
        locks.delay(Duration.ofSeconds(2));
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        locks.awaitRequest("a");
        locks.advance(Duration.ofMillis(1999));
        assertThat(waiter).isNotDone();
        locks.advance(Duration.ofMillis(1));
        assertThat(waiter.join().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void an_answer_that_takes_longer_than_the_command_timeout_is_lost_and_its_lock_is_released() {
        locks.delay(Duration.ofMinutes(1));
        CompletableFuture<Optional<Lease>> attempt = client.lock("a").tryAcquireAsync(Duration.ZERO);
        locks.awaitRequest("a");
        assertThat(locks.otherClient().lock("a").tryAcquire())
                .as("granted on the server")
                .isEmpty();
        locks.advance(Duration.ofSeconds(2));
        assertThatThrownBy(attempt::join)
                .hasCauseInstanceOf(BackendException.class)
                .hasMessageContaining("the test delays it by PT1M");
        locks.delay(Duration.ZERO);
        locks.advance(Duration.ofMinutes(1));
        assertThat(locks.otherClient().lock("a").tryAcquire()).isPresent();
        assertThat(locks.recorded()).extracting(LockRecord::outcome).containsExactly(Outcome.FAILED);
        locks.assertNothingHeld();
    }

    @Test
    void a_lock_stays_taken_for_its_least_time() {
        held("a", LockOptions.defaults().takenAtLeast(Duration.ofMinutes(10))).close();
        locks.assertNothingHeld();
        locks.advance(Duration.ofMinutes(9));
        assertThat(client.lock("a").tryAcquire()).isEmpty();
        locks.advance(Duration.ofMinutes(2));
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    /** Code of the program may block on the client's threads; the time goes on, and renewals with it. */
    @Test
    void a_callback_that_blocks_does_not_stop_the_time() {
        CountDownLatch blocks = new CountDownLatch(1);
        CompletableFuture<LeaseState> later = client.lock("a").acquireAsync().thenApply(lease -> {
            try {
                blocks.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return lease.state();
        });
        await().until(() -> !locks.locked().isEmpty());
        locks.advance(Duration.ofMinutes(10));
        blocks.countDown();
        assertThat(later.join()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void the_options_of_the_client_count() {
        ClientOptions brief = ClientOptions.defaults().renewedLease(Duration.ofSeconds(3));
        try (TestLocks own = TestLocks.withVirtualTime(brief)) {
            Lease lease = own.client().lock("a").tryAcquire().orElseThrow();
            own.makeUnavailable();
            own.advance(Duration.ofSeconds(3));
            assertThat(lease.state()).isEqualTo(LeaseState.LOST);
            assertThat(own.locked().get(0).lease()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void time_does_not_go_back() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.advance(Duration.ofSeconds(-1)))
                .withMessage("duration is PT-1S: it must be zero or positive");
    }
}
