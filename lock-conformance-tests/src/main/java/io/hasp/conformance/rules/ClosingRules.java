package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientClosedException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockCapabilities;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** AP: a closing client does not release a lock while work under it runs. */
public interface ClosingRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Work in a call, work that ends with a future, and an open lease delay the close for longer than a lease, and no
     * other client gets their locks before they end.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ap10_close_waits_for_work_and_gives_nothing_back_before_its_end() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                LockClient other = subject().connect();
                LockClient client = subject().connect()) {
            CountDownLatch working = new CountDownLatch(1);
            CountDownLatch ends = new CountDownLatch(1);
            CompletableFuture<Integer> future = new CompletableFuture<>();
            String[] locks = {run.lock() + "-call", run.lock() + "-future", run.lock() + "-hand"};
            RuleRun.Task<Integer> call = run.start(() -> client.lock(locks[0]).call(lease -> {
                working.countDown();
                ends.await();
                return 1;
            }));
            CompletableFuture<Void> begun = new CompletableFuture<>();
            CompletableFuture<Integer> async = client.lock(locks[1]).callAsync(lease -> {
                begun.complete(null);
                return future;
            });
            Lease byHand =
                    run.start(() -> client.lock(locks[2]).acquire()).result().join();
            working.await();
            begun.join();
            CompletableFuture<Lease> waiter = client.lock(locks[2]).acquireAsync();
            RuleRun.Task<Boolean> closing = run.start(() -> {
                client.close();
                return true;
            });
            assertThat(waiter)
                    .as("a waiter of a client that closes")
                    .failsWithin(Timings.tolerance())
                    .withThrowableThat()
                    .withCauseInstanceOf(ClientClosedException.class);
            for (String lock : locks) {
                assertThat(other.lock(lock).tryAcquire(Timings.lease().dividedBy(2)))
                        .as("a lock whose work goes on while its client closes")
                        .isEmpty();
            }
            assertThat(closing.result()).as("the close").isNotDone();
            assertThat(byHand.state()).as("a lease in use").isIn(LeaseState.HELD, LeaseState.SUSPECT);
            byHand.release();
            future.complete(2);
            ends.countDown();
            assertThat(closing.result()).succeedsWithin(Timings.longWait());
            assertThat(call.result()).succeedsWithin(Timings.tolerance()).isEqualTo(1);
            assertThat(async).succeedsWithin(Timings.tolerance()).isEqualTo(2);
            for (String lock : locks) {
                assertThat(other.lock(lock).tryAcquire(Timings.tolerance()))
                        .as("a lock after its work")
                        .hasValueSatisfying(Lease::close);
            }
        }
    }

    /**
     * A lease is still in use at the end of the close's time. If locks end with a lease, it is LOST before another
     * client has the lock; if they end with a session, its work keeps the lock. {@code closeNow} ends both.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void ap10_what_is_in_use_when_the_time_is_over_is_not_given_back_early() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                LockClient other = subject().connect();
                LockClient closing = subject().connect(options -> options.closeWithin(Duration.ZERO))) {
            Lease left =
                    run.start(() -> closing.lock(run.lock()).acquire()).result().join();
            closing.close();
            assertThat(other.lock(run.lock()).tryAcquire(Timings.lease().dividedBy(2)))
                    .as("a lock that a closed client left to its work")
                    .isEmpty();
            if (closing.capabilities().enforcement() == LockCapabilities.Enforcement.LEASE) {
                Lease next = other.lock(run.lock())
                        .tryAcquire(Timings.lease().plus(Timings.longWait()))
                        .orElseThrow();
                assertThat(left.state()).as("the lease that was left").isEqualTo(LeaseState.LOST);
                next.release();
            } else {
                assertThat(other.lock(run.lock()).tryAcquire(Timings.lease().multipliedBy(2)))
                        .as("a lock of a session whose work goes on")
                        .isEmpty();
                closing.closeNow();
                assertThat(other.lock(run.lock()).tryAcquire(Timings.tolerance()))
                        .as("a lock after closeNow")
                        .hasValueSatisfying(Lease::close);
            }
        }
    }

    /**
     * {@code closeNow} ends a close that waits.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap10_close_now_gives_back_what_a_close_waits_for() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                LockClient other = subject().connect();
                LockClient client = subject().connect()) {
            Lease held =
                    run.start(() -> client.lock(run.lock()).acquire()).result().join();
            RuleRun.Task<Boolean> closing = run.start(() -> {
                client.close();
                return true;
            });
            closing.awaitBlocked();
            client.closeNow();
            assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
            assertThat(closing.result()).succeedsWithin(Timings.longWait());
            assertThat(other.lock(run.lock()).tryAcquire(Timings.tolerance())).hasValueSatisfying(Lease::close);
        }
    }
}
