package io.hasp.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An SSL bundle of the application's, for a server with a certificate of its own for {@code localhost}. */
@Timeout(120)
@InTier(Tier.STANDARD)
class EncryptedConnectionTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static RedisServer server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path store = folder.resolve("store.p12");
        generateKey(store);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Key key = keys.getKey("redis", PASSWORD.toCharArray());
        pem("key.pem", "PRIVATE KEY", key.getEncoded());
        pem("cert.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server = RedisServer.start(
                "tls-port " + port,
                "tls-cert-file " + folder.resolve("cert.pem"),
                "tls-key-file " + folder.resolve("key.pem"),
                "tls-ca-cert-file " + folder.resolve("cert.pem"),
                "tls-auth-clients no");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void pem(String file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private static void generateKey(Path store) throws Exception {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-ext",
                        "bc:c",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
        assertThat(keytool.waitFor()).as(said).isZero();
    }

    private static ApplicationContextRunner by(String library, String host) {
        return Boot.withRedis(
                        "spring.data.redis.client-type=" + library,
                        "spring.data.redis.host=" + host,
                        "spring.data.redis.port=" + port,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.jks.redis.truststore.location=file:" + folder.resolve("store.p12"),
                        "spring.ssl.bundle.jks.redis.truststore.password=" + PASSWORD,
                        "spring.ssl.bundle.jks.redis.truststore.type=PKCS12")
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void the_bundle_of_the_applications_connection_is_used(String library) {
        by(library, "localhost").run(context -> {
            assertThat(context).hasNotFailed();
            try (LockClient client = context.getBean(LockClient.class)) {
                assertThat(client.lock("encrypted").acquire().fencingToken()).isPositive();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_certificate_for_another_host_is_refused(String library) {
        by(library, "127.0.0.1")
                .run(context -> assertThat(
                                Boot.explained(context.getStartupFailure()).getMessage())
                        .contains("rediss://127.0.0.1:" + port));
    }
}
