package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A role has settings that suit the transactions of an application, and not those of locks. */
class RoleSettingsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final PostgresServer SERVER = PostgresServer.start();

    @BeforeAll
    static void role() {
        TestBackend.on(SERVER).close();
        SERVER.run("create role strict superuser login");
        SERVER.run("alter role strict set default_transaction_isolation = 'repeatable read'");
        SERVER.run("alter role strict set lock_timeout = '10ms'");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static PostgresConfig strict(Notification notification) {
        return PostgresConfig.of("127.0.0.1", SERVER.port(), "postgres")
                .credentials("strict", "-")
                .locks(PostgresLocks.defaults().notification(notification).commandTimeout(Duration.ofSeconds(20)));
    }

    private static Claim claim(String name, String holder, Share share) {
        return Claim.renewedLease(new LockName(name), new HolderId(holder), LONG, false)
                .withShare(share);
    }

    private static CompletableFuture<Attempt> waitingForRow(TestBackend client, Claim claim) {
        CompletableFuture<Attempt> attempt = CompletableFuture.supplyAsync(() -> client.acquire(claim));
        await().atMost(LONG)
                .until(() -> attempt.isDone()
                        || SERVER.run("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") == 1);
        return attempt;
    }

    @Test
    void a_busy_lock_is_busy() throws Exception {
        try (TestBackend client = TestBackend.on(PostgresBackend.on(strict(Notification.LISTEN)));
                Connection other = SERVER.connect();
                Statement change = other.createStatement()) {
            client.granted(claim("busy", "first", Share.EXCLUSIVE));
            other.setAutoCommit(false);
            change.execute("update hasp_lock set last_token = last_token + 1 where name = 'busy'");
            CompletableFuture<Attempt> second = waitingForRow(client, claim("busy", "second", Share.EXCLUSIVE));
            other.commit();
            assertThat(second.get()).isInstanceOf(Attempt.Busy.class);
        }
    }

    /** With a snapshot from before its wait, the writer would not see that the reader has renewed its lease. */
    @Test
    void a_lease_that_is_renewed_while_another_client_asks_is_not_given_away() throws Exception {
        SERVER.run("alter role strict reset lock_timeout");
        try (TestBackend client = TestBackend.on(PostgresBackend.on(strict(Notification.LISTEN)));
                Connection other = SERVER.connect();
                Statement renewal = other.createStatement()) {
            Claim leaving = claim("renewed", "leaving", Share.READ);
            client.granted(leaving);
            client.granted(claim("renewed", "reader", Share.READ).withLease(Duration.ofSeconds(3)));
            TestBackend.answer(client.backend().release(leaving));
            other.setAutoCommit(false);
            renewal.execute(
                    "select hasp_renew(array['renewed'], array['reader'], array[60000::bigint], array[1], array[false])");
            CompletableFuture<Attempt> writer = waitingForRow(client, claim("renewed", "writer", Share.WRITE));
            await().atMost(LONG)
                    .until(() -> SERVER.run("select count(*) from hasp_holder where holder = 'reader'"
                                    + " and expires > clock_timestamp()")
                            == 0);
            other.commit();
            assertThat(writer.get()).isInstanceOf(Attempt.Busy.class);
        } finally {
            SERVER.run("alter role strict set lock_timeout = '10ms'");
        }
    }

    @Test
    void the_connection_that_listens_outlives_the_time_limit_of_idle_sessions() {
        SERVER.run("create role idle superuser login");
        SERVER.run("alter role idle set idle_session_timeout = '500ms'");
        String listening = "select coalesce(max(pid), 0) from pg_stat_activity"
                + " where usename = 'idle' and application_name = 'hasp listens'";
        PostgresConfig idle =
                PostgresConfig.of("127.0.0.1", SERVER.port(), "postgres").credentials("idle", "-");
        TestBackend client = TestBackend.on(PostgresBackend.on(idle));
        try (client) {
            long first = SERVER.run(listening);
            assertThat(first).isPositive();
            await().during(Duration.ofSeconds(3)).atMost(LONG).until(() -> SERVER.run(listening) == first);
        }
    }

    /** Behind a pooler, no session has settings of a client. */
    @Test
    void a_client_behind_a_pooler_is_refused_with_the_setting_to_change() {
        assertThatThrownBy(() -> TestBackend.on(PostgresBackend.on(strict(Notification.POLL))))
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE))
                .hasMessageContaining("default_transaction_isolation");
    }
}
