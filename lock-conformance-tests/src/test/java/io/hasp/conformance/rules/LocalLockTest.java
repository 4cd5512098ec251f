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
            public void loseNotifications() {
                SERVER.loseNextNotification();
            }
        };
    }
}
