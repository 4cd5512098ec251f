package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A waiter whose client has ended is passed over as soon as the server knows, however long it would count as alive. */
class DeadWaiterTest {
    private final PostgresServer server = PostgresServer.start();
    private final TestBackend client = TestBackend.on(server);

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static Claim claim(String holder) {
        return Claim.renewedLease(new LockName("a"), new HolderId(holder), Duration.ofSeconds(30), true);
    }

    private long waiters() {
        return server.run("select count(*) from hasp_waiter");
    }

    @Test
    void a_dead_client_costs_no_claim() {
        client.granted(claim("holder"));
        try (TestBackend other = TestBackend.on(server)) {
            assertThat(other.acquire(claim("dead"))).isInstanceOf(Attempt.Busy.class);
            server.run("update hasp_waiter set alive_until = now() + interval '1 hour'");
            TestBackend.answer(client.backend().release(claim("holder")));
            assertThat(client.acquire(claim("next")))
                    .as("while the client of the waiter before it lives")
                    .isInstanceOf(Attempt.Busy.class);
            TestBackend.answer(other.backend().release(claim("dead")));
            assertThat(client.granted(claim("next")).claim().holder()).isEqualTo(new HolderId("next"));

            assertThat(other.acquire(claim("dead2"))).isInstanceOf(Attempt.Busy.class);
            server.run("update hasp_waiter set alive_until = now() + interval '1 hour'");
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        server.run("select count(*) from pg_stat_activity where application_name like 'hasp listens%'")
                                == 1);
        assertThat(waiters()).isEqualTo(1);
        TestBackend.answer(client.backend().release(claim("next")));
        assertThat(waiters()).isZero();
        client.granted(claim("last"));
    }
}
