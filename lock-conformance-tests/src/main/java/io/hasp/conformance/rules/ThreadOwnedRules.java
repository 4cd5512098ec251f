package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** OW and LI: Hasp's promises to threads that lock and unlock, on a real backend. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock themselves are what is tested
public interface ThreadOwnedRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Re-entry sends no request to the server: one acquisition, one token, one hold.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow3_re_entry_keeps_one_token_and_one_hold_on_the_server_until_the_last_unlock() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        try (LockClient client = subject()
                        .connect(options -> options.addListener(event -> {
                            if (event instanceof LockEvent.Acquired acquired) {
                                tokens.add(acquired.fencingToken());
                            }
                        }));
                LockClient other = subject().connect()) {
            Lock lock = client.lock(name).asReentrantLock();
            lock.lock();
            lock.lockInterruptibly();
            assertThat(client.lock(name).asReentrantLock().tryLock())
                    .as("re-entry")
                    .isTrue();
            LockOptions others = LockOptions.defaults().maxHold(Timings.longWait());
            assertThatThrownBy(client.lock(name, others).asReentrantLock()::tryLock)
                    .as("re-entry with other options")
                    .isInstanceOf(InvalidArgumentException.class);
            assertThat(faults().present(name)).as("holds on the server").isEqualTo(1);

            for (int left = 3; left > 0; left--) {
                assertThat(other.lock(name).tryAcquire())
                        .as("another client, with " + left + " unlocks to go")
                        .isEmpty();
                lock.unlock();
            }
            // Listeners are notified on another thread.
            Awaitility.await().atMost(Timings.longWait()).until(() -> !tokens.isEmpty());
            assertThat(tokens).as("tokens of a lock taken and re-entered twice").hasSize(1);
            assertThat(take(other.lock(name)).fencingToken())
                    .as("token of the next holder")
                    .isGreaterThan(tokens.get(0));
        }
    }

    /**
     * By another thread, once too often, and once too often when another client holds the lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow4_unlock_by_another_thread_or_once_too_often_is_refused_and_changes_nothing() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect();
                RuleRun run = new RuleRun(subject())) {
            Lock lock = client.lock(name).asReentrantLock();
            lock.lock();
            assertThat(run.start(lock::tryLock).get()).as("another thread").isFalse();
            assertThatThrownBy(() -> run.start(() -> unlocked(lock)).get())
                    .as("unlock by another thread")
                    .hasCauseInstanceOf(IllegalMonitorStateException.class);
            assertThat(other.lock(name).tryAcquire())
                    .as("another client after that")
                    .isEmpty();

            lock.unlock();
            assertNotHeld(lock);
            Lease current = take(other.lock(name));
            assertNotHeld(lock);
            current.ensureHeld();
            assertThat(lock.tryLock())
                    .as("the lock, held by another client, after an excess unlock")
                    .isFalse();
            assertThat(current.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /**
     * A lease belongs to the code that has a reference to it, not to a thread.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow4_lease_is_released_by_any_thread_and_only_once() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect();
                RuleRun run = new RuleRun(subject())) {
            Lease lease = client.lock(name).acquire();
            assertThat(run.start(lease::release).get()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
            Lease current = take(other.lock(name));
            assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
            assertThat(client.lock(name).tryAcquire())
                    .as("the lock of another client, after an excess release")
                    .isEmpty();
            assertThat(current.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /**
     * The lease of the view releases the lock as any lease does; the thread that locked is notified.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow4_lease_of_the_view_is_released_once_and_unlock_tells_of_it() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            ReentrantDistributedLock lock = client.lock(name).asReentrantLock();
            lock.lock();
            assertThat(lock.lease().orElseThrow().release()).isEqualTo(ReleaseResult.RELEASED);
            Lease current = take(other.lock(name));
            assertThatThrownBy(lock::unlock)
                    .as("unlock after the release of the lease")
                    .isInstanceOf(IllegalMonitorStateException.class);
            assertNotHeld(lock);
            assertThat(lock.tryLock())
                    .as("the lock, held by another client, after that unlock")
                    .isFalse();
            assertThat(current.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /**
     * Deep re-entry is counted.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ow4_re_entry_a_thousand_deep_needs_a_thousand_unlocks() throws Exception {
        int depth = 1_000;
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            Lock lock = client.lock(name).asReentrantLock();
            for (int i = 0; i < depth; i++) {
                lock.lock();
            }
            for (int i = 1; i < depth; i++) {
                lock.unlock();
            }
            assertThat(other.lock(name).tryAcquire())
                    .as("another client, with one unlock to go")
                    .isEmpty();
            lock.unlock();
            take(other.lock(name)).release();
            assertNotHeld(lock);
        }
    }

    /**
     * The thread that holds the lock ends, and its process lives on and renews.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void li2_lock_of_a_thread_that_died_is_reported_and_freed_by_max_hold() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        Duration maxHold = Timings.lease().multipliedBy(2);
        List<String> abandoned = new CopyOnWriteArrayList<>();
        try (LockClient client = subject()
                        .connect(options -> options.maxHold(maxHold).addListener(event -> {
                            if (event instanceof LockEvent.Abandoned left) {
                                abandoned.add(left.lock() + " by " + left.thread());
                            }
                        }));
                LockClient other = subject().connect();
                MachineLateness lateness = new MachineLateness()) {
            Thread careless =
                    new Thread(() -> client.lock(name).asReentrantLock().lock(), "careless");
            careless.start();
            careless.join();
            long start = System.nanoTime();
            assertThat(other.lock(name).tryAcquire())
                    .as("the lock of a thread that died, in a process that lives")
                    .isEmpty();
            Awaitility.await("the lock of the dead thread is reported")
                    .atMost(Timings.longWait())
                    .until(() -> !abandoned.isEmpty());

            Lease next = other.lock(name)
                    .tryAcquire(Timings.longWait())
                    .orElseThrow(() -> new AssertionError("max hold frees nothing"));
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("how long the lock of a dead thread was held, with a max hold of " + maxHold)
                    .isLessThan(maxHold.plus(Timings.tolerance()).plus(lateness.allowance()));
            next.release();
            assertThat(abandoned).as("reports").containsExactly(name + " by careless");
        }
    }

    private static Lease take(DistributedLock lock) throws InterruptedException {
        return lock.tryAcquire(Timings.longWait())
                .orElseThrow(() -> new AssertionError("a lock that nobody holds was refused"));
    }

    private static boolean unlocked(Lock lock) {
        lock.unlock();
        return true;
    }

    private static void assertNotHeld(Lock lock) {
        assertThatThrownBy(lock::unlock)
                .as("an unlock too many")
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("not held");
    }
}
