package io.hasp.conformance.rules;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.servers.Server;
import java.util.Set;

/** The rules are green on a correct lock. */
@InTier(Tier.STANDARD)
final class LocalLockTest implements LockConformance {
    private static final LocalServer SERVER = new LocalServer();

    @Override
    public LockSubject subject() {
        return new LocalLock(SERVER);
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                "fe3_token_after_a_restart_without_data_is_larger",
                "fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice",
                "li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence",
                "li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early",
                "li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early",
                "li6_waiting_clients_are_served_in_the_order_in_which_they_asked",
                "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
                "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
                "me1_client_processes_lose_no_update_of_a_counter",
                "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token",
                "fa14_deadline_counts_from_the_request_whose_answer_is_late",
                "fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant",
                "fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock",
                "fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held",
                "fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone",
                "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
                "le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up",
                "le3_no_request_names_a_lock_after_its_release",
                "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
                "le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds",
                "le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock",
                "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone");
    }

    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public Server server() {
                return SERVER;
            }

            @Override
            public void deleteLock(String lock) {
                SERVER.delete(lock);
            }

            @Override
            public long kept() {
                return SERVER.size();
            }

            @Override
            public void loseNotifications() {
                SERVER.loseNextNotification();
            }
        };
    }
}
