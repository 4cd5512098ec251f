package io.hasp.conformance.rules;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.servers.Server;
import java.util.Set;

/** The rules are green on a correct lock. */
final class LocalLockTest implements LockConformance {
    private static final LocalServer SERVER = new LocalServer();

    @Override
    public LockSubject subject() {
        return new LocalLock(SERVER);
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
