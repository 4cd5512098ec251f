package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ServerCertificate;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An SSL bundle of the application, for a server with a self-signed certificate for {@code localhost}. */
@Timeout(120)
@InTier(Tier.STANDARD)
class EncryptedConnectionTest {
    @TempDir
    static Path folder;

    private static ServerCertificate certificate;
    private static RedisServer server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        certificate = ServerCertificate.in(folder);
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server = RedisServer.start(certificate.redisOptions(port).toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ApplicationContextRunner by(String library, String host) {
        return Boot.withRedis(
                        "spring.data.redis.client-type=" + library,
                        "spring.data.redis.host=" + host,
                        "spring.data.redis.port=" + port,
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.jks.redis.truststore.location=file:" + certificate.store(),
                        "spring.ssl.bundle.jks.redis.truststore.password=" + ServerCertificate.PASSWORD,
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
