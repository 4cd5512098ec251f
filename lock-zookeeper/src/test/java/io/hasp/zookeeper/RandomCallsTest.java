package io.hasp.zookeeper;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All calls of the API at random, see {@link RandomCalls}. */
@Timeout(600)
@InTier(Tier.STANDARD)
class RandomCallsTest {
    /** Shorter than the time after which nothing may be left of unused locks. */
    private static final Duration KEEP = Duration.ofSeconds(1);

    @Test
    void no_random_calls_break_a_promise_hang_or_leave_anything_behind() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin seen = ServerAdmin.connect(server)) {
            HaspSubject subject = HaspSubject.at(
                            "hasp-zookeeper", "zookeeper://" + server.connectString(), Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, seen::children).run());
        }
    }

    @Test
    void nor_do_they_if_every_second_client_keeps_its_locks() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin seen = ServerAdmin.connect(server)) {
            URI uri = URI.create("zookeeper://" + server.connectString());
            AtomicInteger clients = new AtomicInteger();
            HaspSubject subject = new HaspSubject(
                    "hasp-zookeeper, kept",
                    options ->
                            LockClient.connect(uri, clients.incrementAndGet() % 2 == 0 ? keeping(options) : options));
            System.err.println(new RandomCalls(subject, seen::children).run());
        }
    }

    private static ClientOptions keeping(ClientOptions options) {
        Duration longest = options.renewedLease().dividedBy(3);
        return options.keep(longest.compareTo(KEEP) < 0 ? longest : KEEP);
    }
}
