package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Capabilities.Survives;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The capabilities are those that the settings of the server allow. */
class ServerPromiseTest {

    private static Capabilities connected(String... options) {
        try (PostgresServer server = PostgresServer.start(options);
                TestBackend client = TestBackend.on(server)) {
            return client.backend().capabilities();
        }
    }

    @Test
    void a_grant_survives_a_restart_only_if_commits_are_synced() {
        assertThat(connected().survives()).containsExactly(Survives.SERVER_RESTART);
        assertThat(connected("synchronous_commit=off").survives()).isEmpty();
        assertThat(connected("fsync=off").survives()).isEmpty();
    }

    /** With a replica that commits wait for, and which is not there: this client itself does not wait for it. */
    @Test
    void a_grant_survives_a_failover_only_if_commits_wait_for_a_replica() {
        assertThat(connected("synchronous_standby_names=other", "synchronous_commit=local")
                        .survives())
                .containsExactly(Survives.SERVER_RESTART);
    }

    @Test
    void a_declaration_ahead_of_the_server_promises_no_more() {
        URI uri = URI.create("postgresql://host/data");
        Capabilities ahead = new PostgresBackendProvider()
                .source(uri)
                .declaration()
                .orElseThrow()
                .capabilities();
        assertThat(ahead.survives()).isEmpty();
        assertThat(ahead.recalls()).isTrue();
        assertThat(PostgresBackend.on(PostgresConfig.of(URI.create(uri + "?notify=poll")))
                        .declaration()
                        .orElseThrow()
                        .capabilities()
                        .polls())
                .isTrue();
    }
}
