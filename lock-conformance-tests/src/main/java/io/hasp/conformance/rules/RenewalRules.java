package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** LE: locks with lost or late renewals, observed on the wire. */
public interface RenewalRules extends RuleGroup {

    /**
     * A client that renews a lock after its release may one day renew another client's lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le3_no_request_names_a_lock_after_its_release() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(proxied.subject(), Claimed.RENEWAL)) {
            LockUser user = run.user();
            for (int i = 0; i < 20; i++) {
                run.take(user).release();
            }
            Hold hold = run.take(user);
            awaitRenewal(proxied, named(proxied, run));
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            CompletableFuture<ProxiedConnection> late = named(proxied, run);
            assertThat(comes(late, proxied.lease().dividedBy(2)))
                    .as("a request about the lock was sent after its release")
                    .isFalse();
        }
    }

    /** A session is kept alive by requests that name no lock; then there is nothing to look at. */
    private static ProxiedConnection awaitRenewal(ProxiedSubject proxied, CompletableFuture<ProxiedConnection> renewal)
            throws Exception {
        if (!comes(renewal, proxied.lease())) {
            throw new TestAbortedException("no request names a lock while it is held, for " + proxied.lease());
        }
        return renewal.get();
    }

    private static boolean comes(CompletableFuture<?> event, Duration limit) throws Exception {
        try {
            event.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static CompletableFuture<ProxiedConnection> named(ProxiedSubject proxied, RuleRun run) {
        return proxied.proxy().when(Direction.REQUESTS, run.lock(), connection -> {});
    }

    /**
     * The connection breaks with a renewal on it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le4_one_lost_renewal_is_repeated_and_the_lock_stays_held() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(proxied.subject(), Claimed.RENEWAL);
                LockUser other = subject().open()) {
            Hold hold = run.take(run.user());
            // Not the first one: a session that is new trusts itself for a part of its timeout only.
            run.assertHeldFor(proxied.lease().multipliedBy(2).dividedBy(3), hold, other);
            loseRenewal(proxied, run);
            // Without a repeated renewal the lock would have ended by now.
            run.assertHeldFor(proxied.lease(), hold, other);
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private static void loseRenewal(ProxiedSubject proxied, RuleRun run) throws Exception {
        CompletableFuture<ProxiedConnection> renewal = proxied.proxy()
                .when(
                        Direction.REQUESTS,
                        run.lock(),
                        connection -> connection.set(Direction.REQUESTS, TrafficPolicy.DROP));
        ProxiedConnection broken = awaitRenewal(proxied, renewal);
        assertThat(broken.dropped(Direction.REQUESTS))
                .as("bytes of the lost renewal")
                .isPositive();
        broken.set(Direction.REQUESTS, TrafficPolicy.PASS);
    }

    /**
     * No request reaches the server any more. The holder's own clock reports the loss before the server grants the lock
     * to another client.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(proxied.subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness();
                LockUser other = subject().open()) {
            Hold hold = run.take(run.user());
            proxied.proxy().set(Direction.REQUESTS, TrafficPolicy.DROP);
            long cut = System.nanoTime();
            RuleRun.Task<Boolean> believedWhenOverlapping = run.start(() -> {
                Optional<Hold> next =
                        other.tryAcquire(run.lock(), proxied.lease().plus(Timings.longWait()));
                boolean believed = hold.believesHeld();
                assertThat(next).as("the lock of a client that is cut off").isPresent();
                return believed;
            });
            Awaitility.await("the holder is told that it lost a lock which nobody renews")
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Timings.longWait())
                    .until(() -> !hold.believesHeld());
            assertThat(Duration.ofNanos(System.nanoTime() - cut))
                    .as("how long a holder that is cut off went on believing")
                    .isLessThan(proxied.lease().plus(Timings.units(1)).plus(lateness.allowance()));
            boolean overlapping = believedWhenOverlapping.get();
            proxied.proxy().heal();
            assertThat(overlapping)
                    .as("the first client still believed when another had got the lock")
                    .isFalse();
        }
    }

    /**
     * A renewal is applied, and its answer is late by more than half a lease. The renewed lease began with the request.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fa14_deadline_counts_from_the_request_whose_answer_is_late() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(proxied.subject(), Claimed.LOSS_DETECTION, Claimed.RENEWAL);
                LockUser other = subject().open()) {
            Hold hold = run.take(run.user());
            long began = System.nanoTime();
            FaultProxy proxy = proxied.proxy();
            proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
            CompletableFuture<ProxiedConnection> renewal = named(proxied, run);
            ProxiedConnection asked = awaitRenewal(proxied, renewal);
            Awaitility.await("the answer, or that the client gave it up")
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Timings.longWait())
                    .until(() -> asked.waiting(Direction.REPLIES) > 0 || !asked.open());
            proxy.set(Direction.REQUESTS, TrafficPolicy.HOLD);
            // The time to be late by; within the lease, else the holder has given up.
            long late = proxied.lease().multipliedBy(4).dividedBy(5).toNanos() - (System.nanoTime() - began);
            TimeUnit.NANOSECONDS.sleep(late);
            proxy.set(Direction.REPLIES, TrafficPolicy.PASS);
            Optional<Hold> next = other.tryAcquire(run.lock(), proxied.lease().plus(Timings.longWait()));
            boolean believed = hold.believesHeld();
            proxy.heal();
            assertThat(next).as("the lock of a client that is cut off").isPresent();
            assertThat(believed)
                    .as(
                            "the first client, whose last answer was late, still assumed its lease when another client had the lock")
                    .isFalse();
        }
    }

    /**
     * The answer to an acquisition is late by more than the lease that it grants.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up() throws Exception {
        Duration lease = Timings.units(3);
        try (ProxiedSubject proxied = proxied();
                RuleRun run = RuleRun.about(proxied.subject(), Claimed.LOSS_DETECTION, Claimed.FIXED_LEASE);
                LockUser other = subject().open();
                LockUser third = subject().open()) {
            LockUser late = run.user();
            run.take(late).release();
            long asked = System.nanoTime();
            proxied.proxy().set(Direction.REPLIES, TrafficPolicy.HOLD);
            RuleRun.Task<Optional<Hold>> attempt = run.start(() -> late.tryAcquire(run.lock(), Duration.ZERO, lease));
            awaitPresent(run.lock());
            RuleRun.Task<Optional<Hold>> next = run.start(() -> other.tryAcquire(run.lock(), Timings.longWait()));
            // The point of this rule: the answer arrives after two leases.
            TimeUnit.NANOSECONDS.sleep(lease.multipliedBy(2).toNanos() - (System.nanoTime() - asked));
            proxied.proxy().set(Direction.REPLIES, TrafficPolicy.PASS);

            assertThat(believed(attempt))
                    .as("a grant that arrived after its lease had run out is believed")
                    .isFalse();
            Hold hold = next.get()
                    .orElseThrow(
                            () -> new AssertionError("a grant that came too late for its client is held for ever"));
            run.assertHeldFor(Timings.lease(), hold, third);
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }

    private void awaitPresent(String lock) {
        Awaitility.await("the server knows of the attempt")
                .pollInterval(Duration.ofMillis(2))
                .atMost(Timings.longWait())
                .until(() -> faults().present(lock) > 0);
    }

    /** An acquisition that fails is as good an answer as one that is known to be over. */
    private static boolean believed(RuleRun.Task<Optional<Hold>> attempt) throws Exception {
        try {
            return attempt.get().filter(Hold::believesHeld).isPresent();
        } catch (ExecutionException e) {
            return false;
        }
    }
}
