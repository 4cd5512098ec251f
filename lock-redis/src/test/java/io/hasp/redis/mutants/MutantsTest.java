package io.hasp.redis.mutants;

import static io.hasp.conformance.mutants.Findings.broken;
import static io.hasp.conformance.mutants.Findings.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.mutants.Findings.Rule;
import io.hasp.conformance.rules.LockConformance;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Each tutorial version breaks the rule that is meant for it, in that rule's words, while a control rule stays green. */
@InTier(Tier.STANDARD)
final class MutantsTest {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Test
    void get_then_set_lets_two_clients_in_me2() throws IOException {
        LockConformance rules = rulesFor(GetThenSet::new);
        documented(
                rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock,
                "clients that hold the lock at the same time");
        held(rules::ow2_release_after_expiry_leaves_the_next_holder_alone);
    }

    @Test
    void setnx_without_expiry_is_held_for_ever_le1() throws IOException {
        LockConformance rules = rulesFor(SetnxWithoutExpiry::new);
        documented(rules::le1_lease_without_renewal_expires_in_time, "without a release still holds the lock after");
        held(rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock);
    }

    @Test
    void fixed_value_lets_anyone_delete_the_lock_ow1() throws IOException {
        LockConformance rules = rulesFor(FixedValue::new);
        documented(
                rules::ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact,
                "a former holder released a lock that another holds now");
        held(rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock);
    }

    @Test
    void delete_without_owner_check_removes_the_lock_of_the_next_holder_ow2() throws IOException {
        LockConformance rules = rulesFor(DeleteWithoutOwnerCheck::new);
        documented(
                rules::ow2_release_after_expiry_leaves_the_next_holder_alone,
                "a client whose lease had ended released a lock that another holds now");
        held(rules::le1_lease_without_renewal_expires_in_time);
    }

    @Test
    void get_then_delete_removes_the_lock_of_the_next_holder_ow2() throws IOException {
        LockConformance rules = rulesFor(GetThenDelete::new);
        documented(
                rules::ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone,
                "a release that arrived late removed the lock of the next holder");
        held(rules::ow2_release_after_expiry_leaves_the_next_holder_alone);
    }

    @Test
    void expiry_without_watchdog_ends_while_its_client_lives_le2() throws IOException {
        LockConformance rules = rulesFor(ExpiryWithoutWatchdog::new);
        documented(rules::le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives, "the first holds it since");
        held(rules::ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone);
    }

    @Test
    void owner_per_thread_lets_a_former_hold_release_the_lock_ow1() {
        LockConformance rules = rulesFor(OwnerPerThread::new);
        broken(
                rules::ow1_release_by_a_non_owner_is_refused_and_leaves_the_lock_intact,
                "a former holder released a lock that another holds now");
        held(rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock);
    }

    @Test
    void owner_per_host_lets_another_process_release_the_lock_ow2() {
        LockConformance rules = rulesFor(OwnerPerHost::new);
        broken(
                rules::ow2_release_after_expiry_leaves_the_next_holder_alone,
                "a client whose lease had ended released a lock that another holds now");
        held(rules::le1_lease_without_renewal_expires_in_time);
    }

    @Test
    void token_from_the_clients_memory_goes_back_when_another_client_gets_the_lock_fe1() {
        LockConformance rules = rulesFor(TokenFromMemory::new);
        broken(rules::fe1_tokens_increase_strictly, "against that of the grant before");
        held(rules::fe5_each_thread_of_one_client_gets_its_own_larger_token);
    }

    @Test
    void token_that_repeats_on_re_acquire_does_not_tell_two_grants_apart_fe5() {
        LockConformance rules = rulesFor(TokenThatRepeats::new);
        broken(rules::fe5_each_thread_of_one_client_gets_its_own_larger_token, "against that of the grant before");
        held(rules::fe2_token_after_expiry_is_larger);
    }

    @Test
    void no_fallback_poll_leaves_a_waiter_asleep_whose_notification_was_lost_li3() {
        LockConformance rules = rulesFor(NoFallbackPoll::new);
        broken(
                rules::li3_waiter_wakes_when_the_notification_is_lost,
                "the lock was released and its only waiter still waits");
        held(rules::li3_waiter_wakes_when_the_release_falls_between_its_try_and_its_subscription);
    }

    @Test
    void waking_every_waiter_costs_more_the_more_there_are_li7() {
        LockConformance rules = rulesFor(WakesEveryWaiter::new);
        broken(
                rules::li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait,
                "requests at the server for each change of hands with");
        held(rules::li3_waiter_wakes_when_the_notification_is_lost);
    }

    @Test
    void outage_returned_as_busy_fa11() {
        LockConformance rules = rulesFor(OutageAsBusy::new);
        broken(
                rules::fa11_server_that_is_down_is_an_exception_and_never_busy,
                "an outage was reported as 'another client holds the lock'");
        held(rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock);
    }

    @Test
    void watchdog_that_survives_release_le3() {
        LockConformance rules = rulesFor(WatchdogAfterRelease::new);
        broken(
                rules::le3_no_request_names_a_lock_after_its_release,
                "a request about the lock was sent after its release");
        held(rules::fa14_deadline_counts_from_the_request_whose_answer_is_late);
    }

    @Test
    void deadline_counted_from_the_reply_fa14() {
        LockConformance rules = rulesFor(DeadlineFromReply::new);
        broken(
                rules::fa14_deadline_counts_from_the_request_whose_answer_is_late,
                "whose last answer was late, still assumed its lease when another client had the lock");
        held(rules::le3_no_request_names_a_lock_after_its_release);
    }

    /** Breaks a rule, in words that the documentation quotes. */
    private static void documented(Rule rule, String inItsWords) throws IOException {
        assertThat(Path.of("..", "docs", "tutorial-locks.md")).content().contains("\"" + inItsWords + "\"");
        broken(rule, inItsWords);
    }

    private static LockConformance rulesFor(IntFunction<LockSubject> mutant) {
        LockSubject direct = mutant.apply(REDIS.port());
        return new LockConformance() {
            @Override
            public LockSubject subject() {
                return direct;
            }

            @Override
            public ProxiedSubject proxied() {
                FaultProxy proxy = FaultProxy.before(REDIS.port());
                return new ProxiedSubject(proxy, mutant.apply(proxy.port()), Timings.lease());
            }

            @Override
            public Faults faults() {
                return new MutantFaults(new RedisFaults(REDIS, TutorialLock::key));
            }
        };
    }

    /** The faults of the server, and how many clients use a lock without a queue. */
    private record MutantFaults(RedisFaults of) implements Faults {
        @Override
        public Server server() {
            return of.server();
        }

        @Override
        public void loseNotifications() {
            of.loseNotifications();
        }

        @Override
        public HeldRequests holdWrites(Duration time) {
            return of.holdWrites(time);
        }

        @Override
        public long received() {
            return of.received();
        }

        @Override
        public int present(String lock) throws IOException {
            return NotifiedLock.present(REDIS, lock);
        }
    }
}
