package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The registry is set up for PostgreSQL as its documentation advises. */
@InTier(Tier.STANDARD)
class SpringJdbcTest {

    @Test
    void a_busy_lock_costs_the_database_no_failed_statement() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            PostgresEndpoint.of(server.uri()).create();
            SpringJdbc registry = new SpringJdbc(server.uri(), SpringJdbc.USUAL_EXPIRY);
            try (LockUser one = registry.open();
                    LockUser other = registry.open()) {
                Optional<Hold> held = one.tryAcquire("lock", Duration.ofSeconds(5));
                assertThat(held).isPresent();

                assertThat(other.tryAcquire("lock", Duration.ZERO)).isEmpty();

                assertThat(held.get().release()).isTrue();
            }
            assertThat(server.logTail()).doesNotContain("duplicate key", "ERROR");
        }
    }
}
