package io.hasp.zookeeper;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All calls of the API at random, see {@link RandomCalls}. */
@Timeout(600)
class RandomCallsTest {

    @Test
    void no_random_calls_break_a_promise_hang_or_leave_anything_behind() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start(ZooKeeperConformance.FAST_DISK);
                ServerAdmin seen = ServerAdmin.connect(server)) {
            HaspSubject subject = HaspSubject.at(
                            "hasp-zookeeper", "zookeeper://" + server.connectString(), Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, seen::children).run());
        }
    }
}
