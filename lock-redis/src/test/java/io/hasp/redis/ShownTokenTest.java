package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An operator who reads a token in a log finds it on the server. */
class ShownTokenTest {
    private static final Pattern SHOWN = Pattern.compile("token (\\d+) \\((\\d+) on the server\\)");

    @Test
    void the_second_number_of_a_lease_is_in_its_key_also_after_a_hand_off() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient locks = LockClient.connect(server.uri())) {
            try (Lease first = locks.lock("orders/42").acquire()) {
                assertShown(first, server, "hasp:{orders/42}");
            }
            try (Lease second = handedOn(locks.lock("orders/42"))) {
                assertShown(second, server, "hasp:{orders/42}");
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

    private static String assertShown(Lease lease, RedisServer server, String key) {
        Matcher shown = SHOWN.matcher(lease.toString());
        assertThat(shown.find()).as(lease.toString()).isTrue();
        assertThat(shown.group(1)).isEqualTo(Long.toString(lease.fencingToken()));
        String value = String.valueOf(server.command("GET", key));
        assertThat(value.split("\\|")).as("what an operator sees: " + value).contains(shown.group(2));
        return shown.group(2);
    }
}
