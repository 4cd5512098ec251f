package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ServerCertificate;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Tls;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;

/** {@code rediss://} against a server with a self-signed certificate for {@code localhost}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@InTier(Tier.STANDARD)
class TlsTest {
    @TempDir
    static Path folder;

    private RedisServer server;
    private ServerCertificate certificate;
    private int port;

    @BeforeAll
    void start() throws IOException, GeneralSecurityException, InterruptedException {
        certificate = ServerCertificate.in(folder);
        port = freePort();
        server = RedisServer.start(certificate.redisOptions(port).toArray(String[]::new));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_trusted_server_is_used_over_tls(String library) {
        try (TestClient client = open("localhost", library, trusting())) {
            client.granted(library);
            client.release(library);
        }
    }

    /** The sentinel itself as well; it gives the name that the certificate has. */
    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_master_that_a_sentinel_names_is_used_over_tls(String library) throws IOException {
        int sentinelPort = freePort();
        List<String> options = new ArrayList<>(certificate.redisOptions(sentinelPort));
        options.addAll(List.of(
                "tls-replication yes",
                "sentinel resolve-hostnames yes",
                "sentinel announce-hostnames yes",
                "sentinel monitor m localhost " + port + " 1"));
        RedisConfig config = RedisConfig.of(SentinelConfig.of("m", "localhost:" + sentinelPort));
        try (RedisServer sentinel = RedisServer.sentinel(options.toArray(String[]::new))) {
            assertThat(sentinel.running()).isTrue();
            try (TestClient client = open(library, config, trusting())) {
                client.granted(library);
                client.release(library);
            }
            BackendFailure failure =
                    catchThrowableOfType(BackendFailure.class, () -> open(library, config, Tls.defaults()));
            assertThat(failure).hasMessageContaining("sentinel localhost:" + sentinelPort + " can't be reached");
        }
    }

    /** The node reports the certificate's name. Otherwise it would report its address, which none of the libraries accepts. */
    @Test
    void nodes_of_a_cluster_are_used_over_tls() throws IOException {
        int nodePort = freePort();
        try (RedisServer node = node(nodePort, "hostname")) {
            assertThat(node.running()).isTrue();
            for (String library : List.of("jedis", "lettuce", "redisson")) {
                RedisConfig config = RedisConfig.ofCluster("localhost:" + nodePort);
                try (TestClient client = open(library, config, trusting())) {
                    client.granted(library);
                    client.release(library);
                }
                BackendFailure failure =
                        catchThrowableOfType(BackendFailure.class, () -> open(library, config, Tls.defaults()));
                assertThat(failure).as(library).hasMessageContaining("localhost:" + nodePort + " can't be reached");
            }
        }
    }

    /** A node with all slots, which reports its address or the certificate's name. */
    private RedisServer node(int port, String endpoint) throws IOException {
        List<String> options = new ArrayList<>(certificate.redisOptions(port));
        options.addAll(List.of(
                "cluster-enabled yes",
                "cluster-port " + freePort(),
                "tls-cluster yes",
                "cluster-announce-hostname localhost",
                "cluster-preferred-endpoint-type " + endpoint));
        RedisServer node = RedisServer.start(options.toArray(String[]::new));
        node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        await().until(() -> String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        return node;
    }

    /**
     * Its trust store is where Redisson 3 has it, or Redisson 4. If nodes report addresses, certificates are for the name that the
     * application has configured, as for Redisson itself.
     */
    @ParameterizedTest
    @CsvSource({"hostname,servers", "ip,all"})
    void a_redisson_client_of_the_application_lends_its_tls(String endpoint, String place) throws IOException {
        int nodePort = freePort();
        try (RedisServer node = node(nodePort, endpoint)) {
            assertThat(node.running()).isTrue();
            RedissonClient redisson = redisson(nodePort, place);
            try (TestClient client = new TestClient(RedisBackend.onRedisson(redisson))) {
                client.granted("a");
                client.release("a");
            } finally {
                redisson.shutdown();
            }
            RedissonClient trustsNobody = redisson(nodePort, "nowhere");
            try {
                BackendFailure failure = catchThrowableOfType(
                        BackendFailure.class, () -> new TestClient(RedisBackend.onRedisson(trustsNobody)));
                assertThat(failure).hasMessageContaining("localhost:" + nodePort + " can't be reached");
            } finally {
                trustsNobody.shutdown();
            }
        }
    }

    @SuppressWarnings("deprecation")
    private RedissonClient redisson(int port, String place) throws IOException {
        Config config = new Config();
        ClusterServersConfig servers = config.setLazyInitialization(true)
                .useClusterServers()
                .setTimeout(5_000)
                .addNodeAddress("rediss://localhost:" + port);
        URL trusted = certificate.store().toUri().toURL();
        if (place.equals("servers")) {
            servers.setSslTruststore(trusted).setSslTruststorePassword(ServerCertificate.PASSWORD);
        } else if (place.equals("all")) {
            config.setSslTruststore(trusted).setSslTruststorePassword(ServerCertificate.PASSWORD);
        }
        return Redisson.create(config);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_server_that_the_jvm_does_not_trust_is_refused(String library) {
        BackendFailure failure =
                catchThrowableOfType(BackendFailure.class, () -> open("localhost", library, Tls.defaults()));
        assertThat(failure).hasMessageContaining("rediss://localhost:" + port);
        assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_certificate_for_another_host_is_refused(String library) {
        BackendFailure failure =
                catchThrowableOfType(BackendFailure.class, () -> open("127.0.0.1", library, trusting()));
        assertThat(failure).hasMessageContaining("rediss://127.0.0.1:" + port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_server_that_asks_for_a_certificate_gets_it_and_refuses_a_client_without_one(String library) {
        server.command("CONFIG", "SET", "tls-auth-clients", "yes");
        try {
            try (TestClient client =
                    open("localhost", library, trusting().keyStore(certificate.store(), ServerCertificate.PASSWORD))) {
                client.granted(library);
                client.release(library);
            }
            BackendFailure failure =
                    catchThrowableOfType(BackendFailure.class, () -> open("localhost", library, trusting()));
            assertThat(failure).hasMessageContaining("rediss://localhost:" + port);
            assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
        } finally {
            server.command("CONFIG", "SET", "tls-auth-clients", "no");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_port_without_tls_is_named_as_such(String library) {
        String uri = "rediss://localhost:" + server.port() + "?commandTimeout=500ms&connection=" + library;
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> new TestClient(Through.source(uri)));
        assertThat(failure).hasMessageContaining("if this port does not speak TLS, the scheme is redis");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce", "redisson"})
    void a_port_with_tls_is_named_as_such(String library) {
        String uri = "redis://localhost:" + port + "?commandTimeout=500ms&connection=" + library;
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> new TestClient(Through.source(uri)));
        assertThat(failure).hasMessageContaining("if this port speaks TLS, the scheme is rediss");
    }

    private Tls trusting() {
        return Tls.defaults().trustStore(certificate.store(), ServerCertificate.PASSWORD);
    }

    private TestClient open(String host, String library, Tls tls) {
        return open(library, RedisConfig.of(host, port), tls);
    }

    private static TestClient open(String library, RedisConfig config, Tls tls) {
        return new TestClient(Through.of(library)
                .source(config.commandTimeout(Duration.ofSeconds(5)).tls(tls)));
    }
}
