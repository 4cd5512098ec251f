package io.hasp.evaluation.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class PostgresEndpointTest {
    private static final int DEFAULT_OF_HIKARI = 10;

    /** Each client process has a pool for each library; a usual server has a hundred connections for all. */
    @Test
    void a_pool_takes_no_more_connections_than_its_threads_use_at_once_and_up_to_ten() throws Exception {
        List<Connection> used = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = PostgresEndpoint.of(server.uri()).pool()) {
            HikariPoolMXBean state = pool.getHikariPoolMXBean();
            await().until(() -> state.getIdleConnections() == pool.getMinimumIdle());
            assertThat(state.getTotalConnections()).isEqualTo(1);

            for (int thread = 0; thread < DEFAULT_OF_HIKARI; thread++) {
                used.add(pool.getConnection());
            }
            assertThat(state.getTotalConnections()).isEqualTo(DEFAULT_OF_HIKARI);
            for (Connection each : used) {
                each.close();
            }
            assertThat(state.getTotalConnections()).as("kept").isEqualTo(DEFAULT_OF_HIKARI);
        }
    }
}
