package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of hosts with several IPv6 addresses, which is no authority in the grammar of {@link java.net.URI}. */
class SeveralAddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper://us:pw@[::1]:1,localhost:2,[::1]:3/chroot?connectionTimeout=50ms"})
    void several_ipv6_hosts_and_a_name_are_connected_to(String uri) {
        assertThatThrownBy(
                        () -> LockClient.connect(uri, ClientOptions.defaults()).close())
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("//[::1]:1,localhost:2,[::1]:3");
    }

    @Test
    void a_real_server_at_the_second_ipv6_address_serves_the_locks() throws Exception {
        try (ZooKeeperServer gone = ZooKeeperServer.start("clientPortAddress=::");
                ZooKeeperServer server = ZooKeeperServer.start("clientPortAddress=::")) {
            gone.kill();
            try (LockClient locks = LockClient.connect(
                            "zookeeper://[::1]:" + gone.port() + ",[::1]:" + server.port(), ClientOptions.defaults());
                    Lease lease = locks.lock("a").acquire()) {
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                assertThat(server.ask("cons")).contains("sid=0x");
            }
        }
    }
}
