package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of hosts with several IPv6 addresses, which is no authority in the grammar of {@link java.net.URI}. */
@InTier(Tier.STANDARD)
class SeveralAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-cluster://[::1]:1,localhost:2,[::1]:3?commandTimeout=50ms",
                "redis-sentinel://:a%5Bb@[::1]:1,localhost:2,[::1]:3?sentinelMasterId=m&commandTimeout=50ms",
                "redlock://[::1]:1,localhost:2,[::1]:3?nodeTimeout=50ms"
            })
    void several_ipv6_hosts_and_a_name_are_connected_to(String uri) {
        assertThatThrownBy(() -> LockClient.connect(Through.uri(uri), ClientOptions.defaults())
                        .close())
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("//[::1]:1,localhost:2,[::1]:3");
    }

    @Test
    void redlock_locks_on_real_servers_at_ipv6_addresses() {
        String bind = "bind 127.0.0.1 ::1";
        try (RedisServer a = RedisServer.start(bind);
                RedisServer b = RedisServer.start(bind);
                RedisServer c = RedisServer.start(bind)) {
            String uri = "redlock://[::1]:" + a.port() + ",127.0.0.1:" + b.port() + ",[::1]:" + c.port();
            b.kill();
            // The majority is at the two IPv6 addresses.
            try (LockClient locks = LockClient.connect(Through.uri(uri), ClientOptions.defaults());
                    Lease lease = locks.lock("a").tryAcquire().orElseThrow()) {
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            }
        }
    }

    private static void assertLocks(String uri) {
        try (LockClient locks = LockClient.connect(Through.uri(uri), ClientOptions.defaults());
                Lease lease = locks.lock("a").tryAcquire().orElseThrow()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    /** Also the master has such an address. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void sentinels_at_ipv6_addresses_are_asked(String library) {
        String bind = "bind 127.0.0.1 ::1";
        try (RedisServer master = RedisServer.start(bind);
                RedisServer gone = RedisServer.sentinel(bind, "sentinel monitor m ::1 " + master.port() + " 1");
                RedisServer sentinel = RedisServer.sentinel(bind, "sentinel monitor m ::1 " + master.port() + " 1")) {
            gone.kill();
            assertLocks("redis-sentinel://[::1]:" + gone.port() + ",[::1]:" + sentinel.port()
                    + "?sentinelMasterId=m&connection=" + library);
        }
    }

    /** Its one master says that it is at such an address. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_cluster_at_ipv6_addresses_is_followed(String library) {
        try (RedisServer gone = RedisServer.start("bind 127.0.0.1 ::1");
                RedisServer master =
                        RedisServer.start("bind 127.0.0.1 ::1", "cluster-enabled yes", "cluster-announce-ip ::1")) {
            gone.kill();
            master.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
            await().until(() ->
                    String.valueOf(master.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
            assertLocks("redis-cluster://[::1]:" + gone.port() + ",[::1]:" + master.port() + "?connection=" + library);
        }
    }
}
