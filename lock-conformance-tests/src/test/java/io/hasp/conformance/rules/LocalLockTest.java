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
        return Set.of("ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone");
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
