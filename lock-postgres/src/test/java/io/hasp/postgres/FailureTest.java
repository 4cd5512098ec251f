package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each failure has the right kind and outcome, comes within the command timeout, and is never "busy". */
class FailureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final AtomicInteger HOLDERS = new AtomicInteger();
    private final PostgresServer server =
            PostgresServer.start("max_connections=20", "superuser_reserved_connections=3");

    @AfterEach
    void stop() {
        server.close();
    }

    private TestBackend client(String more) {
        return TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(server.uri() + more))));
    }

    private static Claim claim() {
        return Claim.renewedLease(
                new LockName("failing"), new HolderId("h" + HOLDERS.incrementAndGet()), Duration.ofMinutes(9), false);
    }

    /** The first answer after an outage. */
    private static Attempt answered(TestBackend client, Claim claim) {
        return await("an answer")
                .ignoreExceptionsInstanceOf(BackendFailure.class)
                .atMost(LIMIT)
                .until(() -> client.acquire(claim), attempt -> true);
    }

    private static BackendFailure failure(TestBackend client, Claim claim) {
        long start = System.nanoTime();
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> client.acquire(claim));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
        assertThat(failure).isNotNull();
        return failure;
    }

    /** The second time of a call whose connection ends late has what is left of the command timeout. */
    @Test
    void a_call_whose_connection_ends_late_still_ends_within_the_command_timeout() {
        Duration timeout = Duration.ofSeconds(6);
        try (TestBackend client = client("&commandTimeout=6s")) {
            client.granted(claim());
            server.pause();
            long start = System.nanoTime();
            CompletableFuture<Void> kill =
                    CompletableFuture.runAsync(server::kill, CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS));
            BackendFailure failure = failure(client, claim());
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(timeout.plusSeconds(3));
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            kill.join();
        }
    }

    /** An operator's statement has the row. */
    @Test
    void a_row_that_someone_else_locks_is_an_outage_and_not_busy() throws Exception {
        try (TestBackend client = client("&commandTimeout=500ms");
                Connection operator = server.connect();
                Statement statement = operator.createStatement()) {
            Claim first = claim();
            client.granted(first);
            client.backend().release(first);
            operator.setAutoCommit(false);
            statement.execute("select * from hasp_lock for update");
            Claim claim = claim();
            BackendFailure failure = failure(client, claim);
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            operator.commit();
            await().ignoreExceptionsInstanceOf(BackendFailure.class)
                    .atMost(LIMIT)
                    .until(() -> TestBackend.answer(client.backend().release(claim)) != null);
            assertThat(answered(client, claim())).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    void a_server_that_takes_no_writes_is_an_outage() {
        try (TestBackend client = client("")) {
            server.run("alter role postgres set default_transaction_read_only = on");
            server.run("select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()"
                    + " and backend_type = 'client backend'");
            BackendFailure failure = failure(client, claim());
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("read-only transaction");
        }
    }

    /** A call on it is made again on another one. */
    @Test
    void a_connection_that_has_ended_costs_no_failure() {
        try (TestBackend client = client("")) {
            for (int round = 0; round < 3; round++) {
                Claim claim = claim();
                client.granted(claim);
                server.run("select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and backend_type = 'client backend'");
                assertThat(TestBackend.answer(client.backend().release(claim))).isEqualTo(Released.RELEASED);
            }
        }
    }

    @Test
    void the_first_request_needs_no_new_connection() throws Exception {
        try (TestBackend client = client("")) {
            server.useRule("host all all 127.0.0.1/32 reject");
            await("the server refuses new connections")
                    .atMost(LIMIT)
                    .until(() -> catchThrowableOfType(
                                    SQLException.class, () -> server.connect().close())
                            != null);
            client.granted(claim());
        }
    }

    @Test
    void a_server_without_free_connections_is_an_outage() throws Exception {
        List<Connection> all = new ArrayList<>();
        try (TestBackend client = client("&commandTimeout=500ms&notify=poll");
                Connection operator = server.connect();
                Statement statement = operator.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hasp'");
            SQLException refused = catchThrowableOfType(SQLException.class, () -> {
                while (true) {
                    all.add(server.connect());
                }
            });
            assertThat(refused.getSQLState()).isEqualTo("53300");
            assertThat(failure(client, claim()).kind()).isEqualTo(Kind.UNAVAILABLE);
            BackendFailure later = failure(client, claim());
            assertThat(later.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(later.outcome()).as("nothing was sent").isEqualTo(Outcome.NOT_APPLIED);
            for (Connection one : all) {
                one.close();
            }
            assertThat(answered(client, claim())).isInstanceOf(Attempt.Granted.class);
        }
    }

    @Test
    void a_server_that_is_down_or_silent_is_an_outage() {
        try (TestBackend client = client("&commandTimeout=500ms")) {
            Claim held = claim();
            client.granted(held);
            server.pause();
            BackendFailure silent = failure(client, claim());
            server.resume();
            assertThat(silent.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(silent.outcome()).isEqualTo(Outcome.UNKNOWN);
            server.kill();
            BackendFailure down = failure(client, claim());
            assertThat(down.kind()).isEqualTo(Kind.UNAVAILABLE);
            server.restart();
            assertThat(answered(client, claim())).as("the grant survives").isInstanceOf(Attempt.Busy.class);
        }
    }

    @Test
    void a_wrong_password_is_denied_at_once_and_not_shown() throws Exception {
        server.run("create role secret login password 'right'");
        server.useRule("host all secret 127.0.0.1/32 scram-sha-256");
        PostgresConfig config = PostgresConfig.of("127.0.0.1", server.port(), "postgres");
        BackendFailure failure = catchThrowableOfType(
                BackendFailure.class,
                () -> TestBackend.on(PostgresBackend.on(config.credentials("secret", "wrong-one"))));
        assertThat(failure.kind()).isEqualTo(Kind.DENIED);
        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(failure)
                .hasMessageContaining("password authentication failed")
                .hasMessageNotContaining("wrong-one");
    }
}
