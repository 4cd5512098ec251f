package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An operator who reads a token in a log finds it on the server. */
class ShownTokenTest {
    private static final Pattern SHOWN = Pattern.compile("token (\\d+) \\((\\d+) on the server\\)");

    @Test
    void the_second_number_of_a_lease_is_its_nodes_transaction_plus_the_offset_of_a_floor() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                LockClient locks = LockClient.connect("zookeeper://" + server.connectString())) {
            DistributedLock lock = locks.lock("orders/42");
            try (Lease first = lock.acquire()) {
                assertThat(shown(first)).isEqualTo(transaction(servers));
            }
            try (Lease second = handedOn(lock)) {
                assertThat(shown(second)).isEqualTo(transaction(servers));
            }

            lock.raiseTokenFloor(1_000_000);
            try (Lease third = lock.acquire()) {
                assertThat(shown(third)).isEqualTo(transaction(servers) + offset(servers));
            }
        }
    }

    /** A lease on a grant that was handed on, which happens within 20 ms of the grant only. */
    private static Lease handedOn(DistributedLock lock) throws Exception {
        for (int tries = 0; tries < 1_000; tries++) {
            Lease first = lock.acquire();
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            first.release();
            Lease second = waiting.get();
            if (second.fencingToken() == first.fencingToken() + 1) {
                return second;
            }
            second.release();
        }
        throw new AssertionError("never handed on");
    }

    private static long shown(Lease lease) {
        Matcher shown = SHOWN.matcher(lease.toString());
        assertThat(shown.find()).as(lease.toString()).isTrue();
        assertThat(shown.group(1)).isEqualTo(Long.toString(lease.fencingToken()));
        return Long.parseLong(shown.group(2));
    }

    private static long transaction(ServerAdmin servers) throws Exception {
        return servers.stat("orders/42", child(servers, "x-")).getCzxid();
    }

    private static long offset(ServerAdmin servers) throws Exception {
        return Long.parseLong(child(servers, "floor-").split("-")[1]);
    }

    private static String child(ServerAdmin servers, String prefix) throws Exception {
        List<String> children = servers.children("orders/42").stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
        assertThat(children).hasSize(1);
        return children.get(0);
    }
}
