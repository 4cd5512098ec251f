package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PgBouncer;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The rules behind a PgBouncer in transaction mode, which moves the statements of a client between sessions. */
@InTier(Tier.STANDARD)
@EnabledIf(value = "installed", disabledReason = "no program pgbouncer is installed")
class PgBouncerConformanceTest implements PollingConformance {
    private static PostgresServer server;
    private static PgBouncer pooler;

    static boolean installed() {
        return PgBouncer.program().isPresent();
    }

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
        pooler = PgBouncer.before(server.port());
    }

    @AfterAll
    static void stop() {
        if (pooler != null) {
            pooler.close();
            server.close();
        }
    }

    @Override
    public PostgresServer server() {
        return server;
    }

    @Override
    public int port() {
        return pooler.port();
    }

    @Override
    public String label() {
        return "hasp-postgres-pgbouncer";
    }

    @Test
    void listening_is_refused_with_the_setting_to_use() {
        BackendFailure failure = catchThrowableOfType(
                BackendFailure.class,
                () -> TestBackend.on(PostgresBackend.on(
                                PostgresConfig.of(URI.create(PostgresServer.uri("127.0.0.1:" + pooler.port())))))
                        .close());
        assertThat(failure).hasMessageContaining("notify=poll");
        assertThat(failure.kind()).isEqualTo(Kind.INCOMPATIBLE);
    }
}
