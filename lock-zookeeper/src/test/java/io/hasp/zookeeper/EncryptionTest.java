package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with a key that the test generates. */
@InTier(Tier.STANDARD)
class EncryptionTest {
    @Test
    void locks_over_tls_trusting_the_given_store_and_no_other(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("server.p12");
        Path certificate = folder.resolve("server.pem");
        keytool(
                store,
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        keytool(store, "-exportcert", "-rfc", "-file", certificate.toString());
        int port = freePort();
        try (ZooKeeperServer server = ZooKeeperServer.start(
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "secureClientPort=" + port,
                "secureClientPortAddress=127.0.0.1",
                "ssl.keyStore.location=" + store,
                "ssl.keyStore.password=secret",
                "ssl.trustStore.location=" + certificate,
                "ssl.clientAuth=none")) {
            assertThat(server.running()).isTrue();
            String uri = "zookeeper://127.0.0.1:" + port + "?tls=";
            try (Probe probe = Probe.connect(uri + "true&connectionTimeout=30s&trustStore=" + certificate)) {
                assertThat(probe.holder("sealed").granted().token()).isPositive();
            }
            assertThat(LockClient.diagnose(uri + "true&connectionTimeout=30s&trustStore=" + certificate))
                    .anyMatch(each -> each.level() == Finding.Level.UNKNOWN
                            && each.check().equals("server 127.0.0.1:" + port))
                    .anyMatch(each ->
                            each.level() == Finding.Level.OK && each.text().endsWith(", encrypted"));
            assertThat(LockClient.diagnose(uri + "false&connectionTimeout=2s"))
                    .map(Finding::level)
                    .containsExactly(Finding.Level.WARN, Finding.Level.FAIL);
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> Probe.connect(uri + "true&connectionTimeout=2s"));
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> Probe.connect(uri + "false&connectionTimeout=2s"));
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void keytool(Path store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "server", "-storepass", "secret", "-keystore", store.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
