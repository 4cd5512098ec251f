package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendFailure;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server without a password refuses all that comes from elsewhere. */
@InTier(Tier.STANDARD)
class ProtectedModeTest {
    @ParameterizedTest
    @EnumSource(Through.class)
    void a_server_in_protected_mode_is_named_as_the_cause(Through library) throws SocketException {
        Optional<String> address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(one -> one instanceof Inet4Address && !one.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst();
        assumeTrue(address.isPresent(), "this machine has no address but its own");
        try (RedisServer server = RedisServer.start("bind 0.0.0.0", "protected-mode yes")) {
            URI uri = URI.create("redis://" + address.get() + ":" + server.port() + "?connection=" + library.word());
            for (int i = 0; i < 10; i++) {
                assertThatExceptionOfType(BackendFailure.class)
                        .isThrownBy(() -> new TestClient(Through.source(uri.toString())))
                        .withMessageContaining("protected mode")
                        .withMessageNotContaining("rediss")
                        .satisfies(failure -> org.assertj.core.api.Assertions.assertThat(failure.kind())
                                .isEqualTo(BackendFailure.Kind.DENIED));
            }
        }
    }
}
