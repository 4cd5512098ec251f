package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendUnavailableException;
import io.hasp.ClientOptions;
import io.hasp.LockClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of hosts with several IPv6 addresses, which is no authority in the grammar of {@link java.net.URI}. */
class SeveralAddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper://us:pw@[::1]:1,localhost:2,[::1]:3/chroot?connectionTimeout=50ms"})
    void several_ipv6_hosts_and_a_name_are_connected_to(String uri) {
        assertThatThrownBy(
                        () -> LockClient.connect(uri, ClientOptions.defaults()).close())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("//[::1]:1,localhost:2,[::1]:3");
    }
}
