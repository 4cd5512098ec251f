package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedReadWriteLock;
import io.hasp.DistributedSemaphore;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.OnLoss;
import io.hasp.Registration;
import io.hasp.ReleaseResult;
import io.hasp.memory.VirtualTime;
import io.hasp.test.LockRecord.Kind;
import io.hasp.test.LockRecord.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each operation of the plain API, in the machine's time. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TestLocksTest {
    private final TestLocks locks = TestLocks.create();
    private final LockClient client = locks.client();

    @AfterEach
    void close() {
        locks.close();
    }

    private Lease held(String name) {
        return client.lock(name).tryAcquire().orElseThrow();
    }

    @Test
    void a_busy_lock_is_refused_until_its_hold_is_closed() {
        OtherHold hold = locks.makeBusy("a");
        assertThat(hold.name()).isEqualTo("a");
        assertThat(client.lock("a").tryAcquire()).isEmpty();
        assertThat(client.lock("b").tryAcquire()).isPresent();
        hold.close();
        Lease lease = held("a");
        assertThat(lease.fencingToken()).isGreaterThan(hold.fencingToken());
        hold.close();
        assertThat(lease.state()).as("after a second close").isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_waiting_call_gets_the_lock_when_the_hold_is_closed() {
        OtherHold hold = locks.makeBusy("a");
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        locks.awaitRequest("a");
        assertThat(waiter).isNotDone();
        assertThat(locks.recorded()).extracting(LockRecord::outcome).containsExactly(Outcome.WAITING);
        hold.close();
        assertThat(waiter.join().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_reader_lets_readers_in_and_no_writer() {
        DistributedReadWriteLock lock = client.readWriteLock("a");
        try (OtherHold hold = locks.makeBusyByReader("a")) {
            assertThat(lock.write().tryAcquire()).isEmpty();
            lock.read().tryAcquire().orElseThrow().close();
        }
        try (OtherHold hold = locks.makeBusyByWriter("a")) {
            assertThat(lock.read().tryAcquire()).isEmpty();
        }
        assertThat(lock.write().tryAcquire()).isPresent();
    }

    @Test
    void the_permits_that_are_not_busy_are_free() {
        DistributedSemaphore permits = client.semaphore("a", 5);
        try (OtherHold hold = locks.makePermitsBusy("a", 3, 5)) {
            assertThat(permits.tryAcquire(3)).isEmpty();
            permits.tryAcquire(2).orElseThrow().close();
        }
        assertThat(permits.tryAcquire(5)).isPresent();
    }

    @Test
    void a_lock_that_the_code_under_test_holds_is_not_made_busy() {
        Lease lease = held("a");
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.makeBusy("a"))
                .withMessageContaining("lock 'a' can't be made busy")
                .withMessageContaining("takeOver");
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_lease_is_lost_at_once_and_the_lock_is_free() {
        for (LockOptions options : List.of(
                LockOptions.defaults(),
                LockOptions.defaults().fixedLease(Duration.ofMinutes(5)),
                LockOptions.defaults().takenAtLeast(Duration.ofMinutes(5)))) {
            Lease lease = client.lock("a", options).tryAcquire().orElseThrow();
            Lease unconcerned = held("b");
            locks.loseNow("a");
            assertThat(lease.state()).as(options.toString()).isEqualTo(LeaseState.LOST);
            assertThat(unconcerned.state()).isEqualTo(LeaseState.HELD);
            assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
            assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
            unconcerned.close();
            locks.otherClient().lock("a").tryAcquire().orElseThrow().close();
        }
    }

    @Test
    void a_loss_ends_all_shares_of_the_client_and_none_of_another_one() {
        OtherHold other = locks.makeBusyByReader("a");
        Lease first = client.readWriteLock("a").read().tryAcquire().orElseThrow();
        Lease second = client.readWriteLock("a").read().tryAcquire().orElseThrow();
        locks.loseNow("a");
        assertThat(List.of(first.state(), second.state())).containsOnly(LeaseState.LOST);
        assertThat(client.readWriteLock("a").write().tryAcquire())
                .as("the other reader holds on")
                .isEmpty();
        other.close();
        assertThat(client.readWriteLock("a").write().tryAcquire()).isPresent();
    }

    @Test
    void work_is_interrupted_by_a_loss_if_the_options_say_so() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
            try {
                client.lock("a", LockOptions.defaults().onLoss(OnLoss.INTERRUPT))
                        .run(lease -> {
                            working.countDown();
                            new CountDownLatch(1).await();
                        });
            } catch (InterruptedException e) {
                throw new AssertionError("not reported as a loss", e);
            }
        });
        working.await();
        locks.loseNow("a");
        assertThatThrownBy(work::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void another_client_takes_over_with_a_larger_token() {
        Lease lease = held("a");
        OtherHold other = locks.takeOver("a");
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(other.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(client.lock("a").tryAcquire()).isEmpty();
        other.close();
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void a_take_over_is_of_the_same_kind() {
        Lease reader = client.readWriteLock("b").read().tryAcquire().orElseThrow();
        Lease some = client.semaphore("c", 4).tryAcquire(1).orElseThrow();
        Lease more = client.semaphore("c", 4).tryAcquire(2).orElseThrow();
        locks.takeOver("b");
        locks.takeOver("c");
        assertThat(List.of(reader.state(), some.state(), more.state())).containsOnly(LeaseState.LOST);
        assertThat(client.readWriteLock("b").read().tryAcquire()).isEmpty();
        assertThat(client.semaphore("c", 4).tryAcquire(2)).isEmpty();
        assertThat(client.semaphore("c", 4).tryAcquire(1)).isPresent();
    }

    @Test
    void a_take_over_that_fails_says_so_and_that_the_leases_are_lost() {
        locks.makeBusyByReader("a");
        Lease lease = client.readWriteLock("a").read().tryAcquire().orElseThrow();
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.takeOver("a"))
                .withMessageStartingWith("lock 'a' can't be taken over")
                .withMessageContaining("'a' (for reading, renewed lease of PT30S) is LOST")
                .withMessageNotContaining("takeOver(name)");
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void a_lock_of_another_kind_is_not_made_busy() {
        Lease lease = client.readWriteLock("a").read().tryAcquire().orElseThrow();
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.makeBusy("a"))
                .withMessageContaining("lock 'a' can't be made busy")
                .withMessageContaining("it is a read-write lock at present")
                .withMessageContaining("'a' (for reading");
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_lock_that_is_not_held_is_not_lost() {
        held("b").close();
        for (String name : List.of("a", "b")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.loseNow(name))
                    .withMessageContaining("lock '" + name + "' is not held by the client under test")
                    .withMessageContaining("'b' (exclusive");
            assertThatIllegalStateException().isThrownBy(() -> locks.takeOver(name));
        }
    }

    @Test
    void an_outage_is_an_exception_and_never_busy() {
        locks.makeUnavailable();
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("the test has made the lock service unavailable");
        assertThat(locks.otherClient().lock("b").tryAcquire())
                .as("for another client")
                .isPresent();
        locks.makeAvailable();
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void a_lease_is_suspect_in_an_outage_and_held_after_it() {
        Lease lease = held("a");
        locks.makeUnavailable();
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        locks.makeAvailable();
        await().until(() -> lease.state() == LeaseState.HELD);
    }

    @Test
    void a_waiting_call_goes_on_after_an_outage() {
        OtherHold hold = locks.makeBusy("a");
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        locks.awaitRequest("a");
        locks.makeUnavailable();
        hold.close();
        assertThat(waiter).isNotDone();
        locks.makeAvailable();
        assertThat(waiter.join().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void an_answer_is_late_by_the_delay() {
        Duration delay = Duration.ofMillis(50);
        locks.delay(delay);
        long begun = System.nanoTime();
        Lease lease = held("a");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(delay);
        locks.delay(Duration.ZERO);
        lease.close();
        assertThat(locks.locked()).hasSize(1);
    }

    @Test
    void locks_are_recorded_with_their_options() {
        try (Lease renewed = held("exclusive");
                Lease fixed = client.lock("fixed", LockOptions.defaults().fixedLease(Duration.ofSeconds(5)))
                        .tryAcquire()
                        .orElseThrow();
                Lease read = client.readWriteLock("both").read().tryAcquire().orElseThrow();
                Lease permits = client.semaphore("some", 7).tryAcquire(3).orElseThrow()) {
            assertThat(locks.locked())
                    .extracting(LockRecord::name, LockRecord::kind, LockRecord::permits, LockRecord::total)
                    .containsExactly(
                            tuple("exclusive", Kind.EXCLUSIVE, 1, 1),
                            tuple("fixed", Kind.EXCLUSIVE, 1, 1),
                            tuple("both", Kind.READ, 1, 1),
                            tuple("some", Kind.PERMITS, 3, 7));
            assertThat(locks.locked())
                    .extracting(LockRecord::lease, LockRecord::renewed)
                    .startsWith(tuple(Duration.ofSeconds(30), true), tuple(Duration.ofSeconds(5), false));
            assertThat(locks.locked())
                    .extracting(LockRecord::fencingToken)
                    .containsExactly(
                            renewed.fencingToken(), fixed.fencingToken(), read.fencingToken(), permits.fencingToken());
            assertThat(locks.locked()).extracting(LockRecord::outcome).containsOnly(Outcome.HELD);
        }
        client.readWriteLock("both").write().tryAcquire().orElseThrow().close();
        assertThat(locks.locked()).last().extracting(LockRecord::kind).isEqualTo(Kind.WRITE);
        assertThat(locks.locked()).extracting(LockRecord::outcome).containsOnly(Outcome.RELEASED);
    }

    @Test
    void requests_without_a_lock_are_recorded_too() throws Exception {
        locks.makeBusy("busy");
        assertThat(client.lock("busy").tryAcquire()).isEmpty();
        assertThat(client.lock("busy").tryAcquire(Duration.ofMillis(20))).isEmpty();
        locks.makeUnavailable();
        assertThatThrownBy(() -> client.lock("away").tryAcquire()).isInstanceOf(BackendException.class);
        assertThat(locks.recorded())
                .extracting(LockRecord::name, LockRecord::waits, LockRecord::outcome)
                .containsExactly(
                        tuple("busy", false, Outcome.BUSY),
                        tuple("busy", true, Outcome.BUSY),
                        tuple("away", false, Outcome.FAILED));
        assertThat(locks.locked()).isEmpty();
        locks.assertLocked();
    }

    @Test
    void several_locks_are_recorded_in_the_order_in_which_they_are_locked() throws Exception {
        try (MultiLease all = client.allOf(client.lock("c"), client.lock("a"), client.lock("b"))
                .acquire()) {
            locks.assertLocked("a", "b", "c");
        }
        locks.assertNothingHeld();
    }

    @Test
    void callers_of_one_client_get_a_grant_each() throws Exception {
        for (boolean keeps : new boolean[] {false, true}) {
            ClientOptions options = ClientOptions.defaults();
            try (TestLocks own = TestLocks.create(keeps ? options.keep(Duration.ofSeconds(1)) : options)) {
                Lease first = own.client().lock("a").acquire();
                CompletableFuture<Lease> second = own.client().lock("a").acquireAsync();
                assertThat(second).isNotDone();
                first.close();
                second.join().close();
                own.client().lock("a").acquire().close();
                own.assertLocked("a", "a", "a");
                own.assertNothingHeld();
            }
        }
    }

    @Test
    void another_order_or_another_lock_fails_and_lists_the_requests() {
        held("a").close();
        held("b").close();
        locks.assertLocked("a", "b");
        for (String[] wrong : new String[][] {{"b", "a"}, {"a"}, {"a", "b", "c"}, {}}) {
            assertThatThrownBy(() -> locks.assertLocked(wrong))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("locked were [a, b], in this order, and not " + List.of(wrong))
                    .hasMessageContaining("'b' (exclusive, renewed lease of PT30S) is RELEASED");
        }
    }

    @Test
    void a_lock_that_is_held_is_named_with_its_thread_and_its_call() {
        locks.assertNothingHeld();
        Lease lease = held("a");
        assertThatThrownBy(locks::assertNothingHeld)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a lock is still held")
                .hasMessageContaining("'a' (exclusive, renewed lease of PT30S) is HELD, token " + lease.fencingToken())
                .hasMessageContaining(
                        "requested by thread '" + Thread.currentThread().getName() + "'")
                .hasMessageContaining(" at io.hasp.test.TestLocksTest.held(TestLocksTest.java:");
    }

    @Test
    void a_lock_is_not_held_after_each_kind_of_end() {
        held("released").close();
        Lease lost = held("lost");
        locks.loseNow("lost");
        Lease taken = client.lock("taken", LockOptions.defaults().takenAtLeast(Duration.ofMinutes(1)))
                .tryAcquire()
                .orElseThrow();
        taken.close();
        CompletableFuture<ReleaseResult> late = held("late").releaseAsync();
        locks.assertNothingHeld();
        assertThat(late.join()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lost.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void a_lock_that_was_released_in_an_outage_is_not_held() {
        Lease lease = held("a");
        locks.makeUnavailable();
        lease.close();
        locks.assertNothingHeld();
    }

    @Test
    void the_end_of_a_lock_is_awaited_if_it_is_under_way() {
        Lease lease = held("a");
        CompletableFuture<Void> later =
                CompletableFuture.runAsync(lease::close, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
        locks.assertNothingHeld();
        later.join();
    }

    @Test
    void a_request_that_is_not_made_is_not_awaited_for_ever() {
        assertThatThrownBy(() -> Settling.await(Duration.ofMillis(5), () -> false, () -> "not done"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("not done");
    }

    @Test
    void a_reset_ends_faults_holds_and_records_but_no_lease() {
        locks.makeBusy("busy");
        assertThat(client.lock("busy").tryAcquire()).isEmpty();
        Lease lease = held("a");
        locks.delay(Duration.ofHours(1));
        locks.makeUnavailable();
        locks.reset();
        assertThat(locks.recorded()).extracting(LockRecord::name).containsExactly("a");
        assertThat(client.lock("busy").tryAcquire()).isPresent();
        await().until(() -> lease.state() == LeaseState.HELD);
    }

    @Test
    void a_reset_or_a_close_without_an_outage_makes_no_lease_suspect() {
        Lease lease = held("a");
        List<LeaseState> changes = new CopyOnWriteArrayList<>();
        try (Registration unused = lease.onChange(Runnable::run, changes::add)) {
            locks.reset();
            locks.makeAvailable();
            locks.close();
        }
        assertThat(changes).doesNotContain(LeaseState.SUSPECT);
    }

    @Test
    void two_kits_share_nothing() {
        held("a");
        try (TestLocks others = TestLocks.create()) {
            assertThat(others.client().lock("a").tryAcquire()).isPresent();
            others.makeUnavailable();
            assertThat(others.recorded()).hasSize(1);
        }
        assertThat(locks.recorded()).hasSize(1);
        assertThat(client.lock("b").tryAcquire()).isPresent();
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without the checker may do
    void wrong_inputs_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.delay(Duration.ofMillis(-1)))
                .withMessage("delay is PT-0.001S: it must be zero or positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.delay(null))
                .withMessage("delay is null: it must be zero or positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestLocks.create(null))
                .withMessage("the options are null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestLocks.withVirtualTime(null))
                .withMessage("the options are null");
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.advance(Duration.ofSeconds(1)))
                .withMessageContaining("withVirtualTime");
        assertThatThrownBy(() -> locks.makeBusy("")).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> locks.makePermitsBusy("a", 3, 2)).isInstanceOf(InvalidArgumentException.class);
        ClientOptions timed = ClientOptions.defaults().timing(new VirtualTime());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestLocks.create(timed))
                .withMessageContaining("withVirtualTime");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TestLocks.withVirtualTime(ClientOptions.defaults().executor(Runnable::run)))
                .withMessageContaining("executor");
    }

    @Test
    void it_closes_at_once_although_locks_are_held_and_waited_for() {
        held("a");
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        long begun = System.nanoTime();
        locks.close();
        locks.close();
        assertThatThrownBy(waiter::join).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }
}
