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
