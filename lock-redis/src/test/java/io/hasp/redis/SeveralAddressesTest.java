package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of hosts with several IPv6 addresses, which is no authority in the grammar of {@link java.net.URI}. */
class SeveralAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-cluster://[::1]:1,localhost:2,[::1]:3?commandTimeout=50ms",
                "redis-sentinel://:a%5Bb@[::1]:1,localhost:2,[::1]:3?sentinelMasterId=m&commandTimeout=50ms",
                "redlock://[::1]:1,localhost:2,[::1]:3?nodeTimeout=50ms"
            })
    void several_ipv6_hosts_and_a_name_are_connected_to(String uri) {
        assertThatThrownBy(
                        () -> LockClient.connect(uri, ClientOptions.defaults()).close())
                .isInstanceOf(BackendUnavailableException.class)
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
            try (LockClient locks = LockClient.connect(uri, ClientOptions.defaults());
                    Lease lease = locks.lock("a").tryAcquire().orElseThrow()) {
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            }
        }
    }
}
