package io.hasp.redis.mutants;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.rules.LockConformance;
import io.hasp.conformance.servers.RedisServer;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The lock that the mutants are made of keeps every rule about what it claims. */
@InTier(Tier.STANDARD)
final class TutorialLockTest implements LockConformance {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Override
    public LockSubject subject() {
        return new TutorialLock(REDIS.port());
    }

    @Override
    public Faults faults() {
        return new RedisFaults(REDIS, TutorialLock::key);
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                "fa14_deadline_counts_from_the_request_whose_answer_is_late",
                "fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant",
                "fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock",
                "fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held",
                "fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone",
                "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
                "le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up",
                "le3_no_request_names_a_lock_after_its_release",
                "le3_races_of_acquire_release_and_interrupt_leave_nothing_held",
                "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
                "le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds",
                "le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock",
                "ap8_many_locks_at_once_are_all_kept_and_all_given_back",
                "fe1_tokens_increase_strictly",
                "fe2_token_after_a_restart_with_data_is_larger",
                "fe2_token_after_expiry_is_larger",
                "fe3_token_after_a_restart_without_data_is_larger",
                "fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice",
                "fe5_each_thread_of_one_client_gets_its_own_larger_token",
                "fe6_stale_write_to_a_fenced_store_is_refused_once_the_next_holder_has_read",
                "le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives",
                "li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence",
                "li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early",
                "li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early",
                "li6_waiting_clients_are_served_in_the_order_in_which_they_asked",
                "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
                "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
                "me1_client_processes_lose_no_update_of_a_counter",
                "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token",
                "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews");
    }
}
