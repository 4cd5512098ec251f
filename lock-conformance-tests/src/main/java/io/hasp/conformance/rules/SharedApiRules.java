package io.hasp.conformance.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReentrantDistributedReadWriteLock;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.SharedRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** RW and PE: the promises of Hasp's own API for shared locks, on a real backend. */
@SuppressWarnings("LockNotBeforeTry") // lock and unlock themselves are what is tested
public interface SharedApiRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Two threads that read both want to write.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw10_upgrade_is_a_typed_error_and_never_a_deadlock() throws Exception {
        requireSharing();
        String name = name();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            ReentrantDistributedReadWriteLock one = client.readWriteLock(name).asReadWriteLock();
            ReentrantDistributedReadWriteLock another =
                    other.readWriteLock(name).asReadWriteLock();
            one.readLock().lock();
            another.readLock().lock();
            for (Lock writing : List.of(one.writeLock(), another.writeLock())) {
                assertThatExceptionOfType(UnsupportedCapabilityException.class)
                        .as("a thread that reads tries to lock for writing")
                        .isThrownBy(writing::tryLock)
                        .withMessageContaining(name);
                assertThatExceptionOfType(UnsupportedCapabilityException.class)
                        .as("a thread that reads locks for writing")
                        .isThrownBy(writing::lock);
            }
            assertThat(one.readLock().isHeldByCurrentThread())
                    .as("whether it still reads")
                    .isTrue();
            one.readLock().unlock();
            another.readLock().unlock();
            assertThat(one.writeLock().tryLock()).as("a lock that nobody reads").isTrue();
            one.writeLock().unlock();
        }
    }

    /**
     * A thread locks for writing and for reading, and unlocks for writing first.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw10_thread_that_unlocks_for_writing_first_goes_on_reading() throws Exception {
        requireSharing();
        String name = name();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            ReentrantDistributedReadWriteLock lock = client.readWriteLock(name).asReadWriteLock();
            lock.writeLock().lock();
            lock.readLock().lock();
            assertThat(faults().present(name)).as("holds on the server").isEqualTo(1);
            long written = token(lock.writeLock().lease());
            lock.writeLock().unlock();

            Lease beside = other.readWriteLock(name)
                    .read()
                    .tryAcquire(Timings.tolerance())
                    .orElseThrow(() -> new AssertionError("a thread goes on reading, and another client may not read"));
            assertThat(other.readWriteLock(name).write().tryAcquire())
                    .as("another client asks for writing")
                    .isEmpty();
            assertThat(token(lock.readLock().lease()))
                    .as("token of the thread that goes on reading")
                    .isGreaterThan(written);
            lock.readLock().unlock();
            beside.release();
            assertThat(other.readWriteLock(name).write().tryAcquire(Timings.tolerance()))
                    .as("a lock that nobody reads")
                    .isPresent();
        }
    }

    private static long token(Optional<Lease> lease) {
        return lease.orElseThrow().fencingToken();
    }

    /**
     * Each kind is held while every other kind is requested, with and without a wait, by the same client and by
     * another.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe7_another_kind_is_a_typed_error_and_leaves_nothing() throws Exception {
        requireSharing();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            for (String held : kinds(client, "any").keySet()) {
                String name = name();
                Lease lease = requireNonNull(kinds(client, name).get(held))
                        .tryAcquire()
                        .orElseThrow();
                for (LockClient asking : List.of(client, other)) {
                    kinds(asking, name).forEach((asked, lock) -> {
                        if (!kind(asked).equals(kind(held))) {
                            assertRefused(held, asked, lock);
                        }
                    });
                }
                RuleRun.awaitPresent(faults(), name, 1);
                lease.release();
                for (DistributedLock lock : kinds(other, name).values()) {
                    lock.tryAcquire(Timings.tolerance())
                            .orElseThrow(() -> new AssertionError("an unused name was refused"))
                            .release();
                }
            }
        }
    }

    private static void assertRefused(String held, String asked, DistributedLock lock) {
        assertOtherKind("a lock that is held as " + held + " is requested as " + asked, lock, lock::tryAcquire);
        assertOtherKind(
                "a lock that is held as " + held + " is waited for as " + asked,
                lock,
                () -> lock.tryAcquire(Timings.longWait()));
    }

    private static void assertOtherKind(String description, DistributedLock lock, ThrowingCallable acquisition) {
        assertThatExceptionOfType(BackendException.class)
                .as(description)
                .isThrownBy(acquisition)
                .withMessageContaining(lock.name())
                .satisfies(refused -> assertThat(refused.kind()).isEqualTo(BackendException.Kind.OTHER_KIND));
    }

    private static String kind(String way) {
        return way.split(",", 2)[0];
    }

    /** Every way to hold a lock, by its kind and, after a comma, how. */
    private static Map<String, DistributedLock> kinds(LockClient client, String name) {
        Map<String, DistributedLock> kinds = new LinkedHashMap<>();
        kinds.put("exclusive", client.lock(name));
        kinds.put("read-write, for reading", client.readWriteLock(name).read());
        kinds.put("read-write, for writing", client.readWriteLock(name).write());
        kinds.put("semaphore of 5", client.semaphore(name, 5).permits(1));
        kinds.put("semaphore of 8", client.semaphore(name, 8).permits(8));
        return kinds;
    }

    /**
     * Many times, from two clients.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe7_of_two_kinds_that_are_asked_for_at_once_one_is_granted_at_most() throws Exception {
        int rounds = 100;
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE);
                LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            CyclicBarrier together = new CyclicBarrier(2);
            RuleRun.Task<boolean[]> exclusive = run.start(rounds(rounds, together, client.lock(run.lock())));
            RuleRun.Task<boolean[]> semaphore = run.start(
                    rounds(rounds, together, other.semaphore(run.lock(), 2).permits(1)));
            for (int round = 0; round < rounds; round++) {
                assertThat(exclusive.get()[round] && semaphore.get()[round])
                        .as("whether a name was held as two kinds at once, in round " + round)
                        .isFalse();
            }
        }
    }

    private static Callable<boolean[]> rounds(int rounds, CyclicBarrier together, DistributedLock lock) {
        return () -> {
            boolean[] granted = new boolean[rounds];
            for (int round = 0; round < rounds; round++) {
                together.await();
                Optional<Lease> lease;
                try {
                    lease = lock.tryAcquire();
                } catch (BackendException e) {
                    assertThat(e.kind()).isEqualTo(BackendException.Kind.OTHER_KIND);
                    lease = Optional.empty();
                }
                granted[round] = lease.isPresent();
                together.await();
                lease.ifPresent(Lease::release);
            }
            return granted;
        };
    }

    private static String name() {
        return "rule-" + UUID.randomUUID();
    }

    private void requireSharing() {
        for (Claimed kind : List.of(Claimed.READ_WRITE, Claimed.SEMAPHORE)) {
            if (!subject().claims().contains(kind)) {
                throw new TestAbortedException(kind + " is not claimed");
            }
        }
    }
}
