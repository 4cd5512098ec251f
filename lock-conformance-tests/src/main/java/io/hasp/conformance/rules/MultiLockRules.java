package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** AL: several locks at once, through Hasp's own API. */
public interface MultiLockRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Clients with connections of their own take random subsets of the same locks. Each records its holds.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void al1_clients_that_ask_for_random_subsets_in_random_order_never_deadlock() throws Exception {
        MultiLockRun.of(subject(), 16, Tier.count(6, 100)).assertEndsWith(() -> {});
    }

    /**
     * Another client has the middle one of three locks. A call for all three ends in each way that leaves it without them.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void al2_nothing_is_held_after_a_timeout_an_interrupt_a_cancellation_or_a_close() throws Exception {
        List<String> names = names(3);
        try (RuleRun run = new RuleRun(subject());
                LockClient client = subject().connect();
                LockClient closing = subject().connect();
                LockClient other = subject().connect()) {
            Lease taken = other.lock(names.get(1)).acquire();
            assertThat(all(client, names).tryAcquire()).as("a try").isEmpty();
            assertFreeBeside(other, names, "a try that was refused");
            assertThat(all(client, names).tryAcquire(Timings.units(3)))
                    .as("a wait that is over")
                    .isEmpty();
            assertFreeBeside(other, names, "a wait that is over");

            RuleRun.Task<MultiLease> interrupted =
                    run.start(() -> all(client, names).acquire());
            awaitFirstHeld(other, names);
            interrupted.thread().interrupt();
            assertThatThrownBy(interrupted::get).hasRootCauseInstanceOf(InterruptedException.class);
            assertFreeBeside(other, names, "an interrupt");

            CompletableFuture<MultiLease> cancelled = all(client, names).acquireAsync();
            awaitFirstHeld(other, names);
            cancelled.cancel(true);
            assertFreeBeside(other, names, "a cancellation");

            CompletableFuture<MultiLease> closed = all(closing, names).acquireAsync();
            awaitFirstHeld(other, names);
            closing.close();
            assertThatThrownBy(closed::join).hasCauseInstanceOf(ClientClosedException.class);
            assertFreeBeside(other, names, "a close");

            taken.release();
            assertFree(other, names.get(1), "the lock that was waited for, when its holder has released it");
            assertAbsent(names);
        }
    }

    /**
     * The server stops answering while a call holds one lock and waits for the next.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void al2_nothing_is_held_after_a_failure() throws Exception {
        List<String> names = names(3);
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            Lease taken = other.lock(names.get(1)).acquire();
            CompletableFuture<Optional<MultiLease>> failing = all(client, names).tryAcquireAsync(Timings.units(25));
            awaitFirstHeld(other, names);
            faults().server().pause();
            try {
                assertThatThrownBy(failing::join)
                        .as("a wait for several locks that ends while the server is silent")
                        .hasCauseInstanceOf(BackendException.class);
            } finally {
                faults().server().resume();
            }
            assertFreeOnceConnected(other, names.get(0));
            assertFreeOnceConnected(other, names.get(2));
            assertThat(taken.release()).isNotNull();
            assertFreeOnceConnected(other, names.get(1));
        }
    }

    /**
     * A client loses its network for good while it holds some of the locks and waits for another one.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void al2_locks_of_a_client_that_dies_with_some_of_them_are_free_within_its_silence() throws Exception {
        List<String> names = names(3);
        try (ProxiedSubject proxied = proxied();
                LockClient dying = ((HaspSubject) proxied.subject()).connect();
                LockClient other = subject().connect()) {
            Lease taken = other.lock(names.get(1)).acquire();
            CompletableFuture<MultiLease> waits = all(dying, names).acquireAsync();
            awaitFirstHeld(other, names);
            proxied.proxy().refuse();
            proxied.proxy().cut(ConnectionEnd.RST);
            Duration silence = proxied.subject().silence().plus(proxied.lease());
            assertFree(other, names.get(0), "the death of the client that held it", silence);
            assertThat(waits).isNotDone();
            taken.release();
            assertFree(other, names.get(1), "the death of a client that waited for it", silence);
            proxied.proxy().heal();
        }
    }

    /**
     * An administrator deletes one of the locks.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void al3_loss_of_one_ends_all_and_is_told_once() throws Exception {
        List<String> names = names(3);
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            MultiLease lease = all(client, names).acquire();
            List<LeaseState> told = new CopyOnWriteArrayList<>();
            lease.onChange(Runnable::run, told::add);
            faults().deleteLock(names.get(1));
            Awaitility.await("the holder of several locks is told that one was deleted")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.lease().plus(Timings.units(2)))
                    .until(() -> lease.state() == LeaseState.LOST);
            for (String name : names) {
                assertFree(other, name, "the loss of '" + names.get(1) + "'");
            }
            assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
            Awaitility.await("the listener is told").until(() -> told.contains(LeaseState.LOST));
            assertThat(told.stream().filter(state -> state == LeaseState.LOST).count())
                    .as("how often the listener was told")
                    .isEqualTo(1);
            assertThat(lease.release())
                    .as("what a release finds")
                    .containsEntry(names.get(1), ReleaseResult.LOST)
                    .doesNotContainValue(ReleaseResult.RELEASED);
            assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        }
    }

    /**
     * Clients take random subsets; the token of each name is compared with that of its last holder.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void al4_tokens_of_each_name_grow_whatever_other_locks_they_came_with() throws Exception {
        MultiLockRun run = MultiLockRun.of(subject(), 4, Tier.count(10, 200));
        run.assertEndsWith(run::assertTokensGrew);
    }

    /**
     * Each call is refused with the value and the rule.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void al5_bad_input_is_refused_before_anything_is_sent() throws Exception {
        List<String> names = names(2);
        String name = names.get(0);
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            DistributedLock lock = client.lock(name);
            assertRefused(
                    () -> client.allOf(lock, client.lock(names.get(1)), client.lock(name)), "'" + name + "' twice");
            assertRefused(() -> client.allOf(lock, other.lock(names.get(1))), "another client");
            assertRefused(() -> client.allOf(List.of()), "0 locks");
            assertRefused(
                    () -> client.allOf(IntStream.range(0, 65)
                            .mapToObj(i -> client.lock(name + i))
                            .toList()),
                    "65 locks");
            assertRefused(() -> client.allOf(lock).tryAcquire(Duration.ofNanos(-1)), "wait is PT");
            assertAbsent(names);
        }
    }

    /** Only a server with a queue can be asked. */
    private void assertAbsent(List<String> names) throws Exception {
        if (subject().claims().contains(Claimed.FIFO)) {
            for (String name : names) {
                assertThat(faults().present(name))
                        .as("holders and waiters on the server")
                        .isZero();
            }
        }
    }

    private static void assertRefused(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOf(InvalidArgumentException.class).hasMessageContaining(words);
    }

    private static List<String> names(int count) {
        String prefix = "rule-" + UUID.randomUUID() + "-";
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    /** In an order that is not the canonical one. */
    private static MultiLock all(LockClient client, List<String> names) {
        List<DistributedLock> locks = new ArrayList<>();
        for (String name : names) {
            locks.add(0, client.lock(name));
        }
        return client.allOf(locks);
    }

    private static void awaitFirstHeld(LockClient other, List<String> names) {
        Awaitility.await("a call that waits for the second of its locks holds the first")
                .pollInterval(Duration.ofMillis(20))
                .atMost(Timings.longWait())
                .until(() -> !isFree(other, names.get(0), Duration.ZERO));
        // Long enough for the refusal of the second one.
        Awaitility.await().pollDelay(Timings.units(1)).until(() -> true);
    }

    private static boolean isFree(LockClient client, String name, Duration wait) throws InterruptedException {
        Optional<Lease> lease = client.lock(name).tryAcquire(wait);
        lease.ifPresent(Lease::release);
        return lease.isPresent();
    }

    private static void assertFreeBeside(LockClient other, List<String> names, String after) throws Exception {
        for (String name : Arrays.asList(names.get(0), names.get(2))) {
            assertFree(other, name, after);
        }
    }

    private static void assertFree(LockClient other, String name, String after) throws Exception {
        assertFree(other, name, after, Duration.ZERO);
    }

    /** The outage may go on for this client after its end: it connects again. */
    private void assertFreeOnceConnected(LockClient other, String name) {
        Awaitility.await("an unneeded lock is free after a failure")
                .ignoreExceptionsInstanceOf(BackendException.class)
                .atMost(subject().silence().plus(Timings.longWait()))
                .until(() -> isFree(other, name, Duration.ZERO));
    }

    private static void assertFree(LockClient other, String name, String after, Duration silence) throws Exception {
        assertThat(isFree(other, name, silence.plus(Timings.tolerance())))
                .as("an unneeded lock is free after " + after)
                .isTrue();
    }
}
