package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client without work costs the server one connection, and at most one statement every five seconds. */
@Timeout(600)
@InTier(Tier.STANDARD)
class IdleClientTest {
    private static final int WATCHED_SECONDS = 21;

    @Test
    void an_idle_client_has_one_connection_and_sends_at_most_one_statement_in_five_seconds() throws Exception {
        try (PostgresServer server = PostgresServer.start("log_statement=all", "log_line_prefix=<%a>");
                LockClient client = LockClient.connect(URI.create(server.uri()))) {
            client.lock("idle").acquire().release();
            await("the connections of calls are closed after a minute")
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> server.run("select count(*) from pg_stat_activity where application_name like 'hasp%'")
                            == 1);
            server.run("select 1 -- the watch begins");
            // Not a wait for something to happen: the time in which statements are counted.
            TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
            String log = server.logTail();
            String watched = log.substring(log.indexOf("the watch begins"));
            long statements = watched.lines()
                    .filter(line -> line.startsWith("<hasp"))
                    .filter(line -> line.contains("execute") || line.contains("statement:"))
                    .count();
            assertThat(statements)
                    .as("statements in " + WATCHED_SECONDS + " s:\n" + watched)
                    .isBetween(1L, WATCHED_SECONDS / 5L + 1);
        }
    }
}
