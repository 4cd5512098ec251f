package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.ServerCertificate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sslmode} and {@code sslrootcert} against a server with a self-signed certificate for {@code localhost}. */
@InTier(Tier.STANDARD)
class TlsTest {
    private static final Duration WAIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private static LockClient connect(PostgresServer server, String host, String parameters) {
        String uri = "postgresql://postgres:postgres@" + host + ":" + server.port() + "/postgres?schema=create&";
        return LockClient.connect(URI.create(uri + parameters), ClientOptions.defaults());
    }

    @Test
    void locks_change_hands_over_tls_and_only_with_a_trusted_server() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(folder);
        String trusting = "sslmode=verify-full&sslrootcert=" + certificate.file();
        try (PostgresServer server =
                        PostgresServer.start(certificate.postgresOptions().toArray(String[]::new));
                LockClient one = connect(server, "localhost", trusting);
                LockClient other = connect(server, "localhost", trusting)) {
            Lease lease = one.lock("a").acquire();
            CompletableFuture<Optional<Lease>> next = other.lock("a").tryAcquireAsync(WAIT);
            assertThat(one.lock("b").tryRun(held -> {})).isTrue();
            lease.close();
            next.get(30, TimeUnit.SECONDS).orElseThrow().close();
            assertThat(server.run("select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)"
                            + " where a.application_name like 'hasp%' and not s.ssl"))
                    .isZero();
            assertThat(server.run("select count(*) from pg_stat_ssl s join pg_stat_activity a using (pid)"
                            + " where a.application_name like 'hasp%' and s.ssl"))
                    .isGreaterThanOrEqualTo(2);

            assertThatThrownBy(() -> connect(server, "127.0.0.1", trusting))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("127.0.0.1");
            assertThatThrownBy(() -> connect(server, "localhost", "sslmode=verify-full"))
                    .isInstanceOf(BackendException.class);
        }
    }

    @Test
    void a_server_without_tls_is_refused() {
        try (PostgresServer server = PostgresServer.start()) {
            assertThatThrownBy(() -> connect(server, "127.0.0.1", "sslmode=require"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("SSL");
        }
    }
}
