package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.ShownToken;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;

/** An operator who reads a token in a log finds it on the server. */
class ShownTokenTest {
    @Test
    void the_second_number_of_a_lease_is_in_its_key_also_after_a_hand_off() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient locks = LockClient.connect(server.uri())) {
            try (Lease first = locks.lock("orders/42").acquire()) {
                assertShown(first, server, "hasp:{orders/42}");
            }
            try (Lease second = ShownToken.handedOver(locks.lock("orders/42"))) {
                assertShown(second, server, "hasp:{orders/42}");
            }
        }
    }

    @Test
    void the_second_number_of_a_lease_on_redlock_is_in_the_counter_of_a_majority() throws Exception {
        try (RedlockServers nodes = RedlockServers.start(3);
                LockClient locks = LockClient.connect(nodes.uri());
                Lease lease = locks.lock("orders/42").acquire()) {
            for (RedisServer node : nodes.nodes()) {
                // A majority has it when the lease is granted, the others soon after.
                await().untilAsserted(() -> assertShown(lease, node, "hasp:{orders/42}:t"));
            }
        }
    }

    private static void assertShown(Lease lease, RedisServer server, String key) {
        String value = String.valueOf(server.command("GET", key));
        assertThat(value.split("\\|"))
                .as("the value that an operator sees: " + value)
                .contains(Long.toString(ShownToken.onServer(lease)));
    }
}
