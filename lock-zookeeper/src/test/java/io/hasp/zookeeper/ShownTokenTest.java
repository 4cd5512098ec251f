package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.ShownToken;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operator who reads a token in a log finds it on the server. */
class ShownTokenTest {
    @Test
    void the_second_number_of_a_lease_is_its_nodes_transaction_plus_the_offset_of_a_floor() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin servers = ServerAdmin.connect(server);
                LockClient locks = LockClient.connect("zookeeper://" + server.connectString())) {
            DistributedLock lock = locks.lock("orders/42");
            try (Lease first = lock.acquire()) {
                assertThat(ShownToken.onServer(first)).isEqualTo(transaction(servers));
            }
            try (Lease second = ShownToken.handedOver(lock)) {
                assertThat(ShownToken.onServer(second)).isEqualTo(transaction(servers));
            }

            lock.raiseTokenFloor(1_000_000);
            try (Lease third = lock.acquire()) {
                assertThat(ShownToken.onServer(third)).isEqualTo(transaction(servers) + offset(servers));
            }
        }
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
