package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An operator on a database that fails or forbids: an error, and never a lock that is free or a break that was none. */
class InspectorFaultsTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final TestBackend BACKEND = TestBackend.on(SERVER);
    private final LockName name = new LockName("faults-" + UUID.randomUUID());

    @AfterAll
    static void stop() {
        BACKEND.close();
        SERVER.close();
    }

    private Claim claim(String holder) {
        return Claim.renewedLease(name, new HolderId(holder), Duration.ofSeconds(30), false);
    }

    private static Inspector inspector(TestBackend backend) {
        return backend.backend().inspector().orElseThrow();
    }

    private Inspector.Holder holder() {
        return TestBackend.answer(inspector(BACKEND).find(name))
                .orElseThrow()
                .holders()
                .get(0);
    }

    private static BackendFailure failure(CompletionStage<?> stage) {
        BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> TestBackend.answer(stage));
        assertThat(failure).isNotNull();
        return failure;
    }

    @Test
    void a_break_whose_answer_is_lost_is_never_a_break_that_was_none() {
        BACKEND.granted(claim("lost"));
        Inspector.Holder holder = holder();
        try (FaultProxy proxy = FaultProxy.before(SERVER.port());
                TestBackend operator = TestBackend.on(PostgresBackend.on(
                        PostgresConfig.of(URI.create(PostgresServer.uri("127.0.0.1:" + proxy.port())))))) {
            var sent = proxy.when(
                    Direction.REQUESTS,
                    "hasp_release",
                    connection -> connection.set(Direction.REPLIES, TrafficPolicy.DROP));
            CompletionStage<Boolean> removed = CompletableFuture.supplyAsync(
                    () -> TestBackend.answer(inspector(operator).remove(name, holder)));
            ProxiedConnection connection = sent.join();
            await().until(() ->
                    TestBackend.answer(inspector(BACKEND).find(name)).isEmpty());
            connection.cut(ConnectionEnd.RST);
            assertThat(failure(removed).kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure(removed).outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
        }
    }

    /** Its client may repeat a request that was not answered. */
    @Test
    void a_holder_that_was_broken_gets_no_second_grant() {
        Grant grant = BACKEND.granted(claim("broken"));
        assertThat(TestBackend.answer(inspector(BACKEND).remove(name, holder())))
                .isTrue();
        BACKEND.granted(claim("next"));
        TestBackend.answer(BACKEND.backend().release(claim("next")));
        assertThat(BACKEND.acquire(claim("broken"))).isInstanceOf(Attempt.Gone.class);
        assertThat(TestBackend.answer(BACKEND.backend().renew(List.of(grant))).get(0))
                .isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void a_break_of_an_unknown_name_writes_nothing() {
        Inspector.Holder other = new Inspector.Holder(
                new HolderId("other"),
                9,
                1,
                Inspector.State.HELD,
                "",
                java.util.Optional.empty(),
                java.util.Optional.empty());
        LockName unknown = new LockName("unknown-" + UUID.randomUUID());
        assertThat(TestBackend.answer(inspector(BACKEND).remove(unknown, other)))
                .isFalse();
        assertThat(SERVER.run("select count(*) from hasp_lock where name = '" + unknown.value() + "'"))
                .isZero();
        assertThat(SERVER.run("select count(*) from hasp_tombstone where holder = 'other'"))
                .isZero();
    }

    @Test
    void connections_that_the_server_ends_in_the_middle_of_a_listing_shorten_no_list() {
        int locks = 350;
        for (int i = 0; i < locks; i++) {
            BACKEND.granted(Claim.renewedLease(
                    new LockName(name.value() + "/" + i), new HolderId("m" + i), Duration.ofSeconds(60), false));
        }
        int seen = 0;
        String cursor = "";
        do {
            SERVER.run("select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()"
                    + " and backend_type = 'client backend'");
            Inspector.Page page = TestBackend.answer(inspector(BACKEND).list(name.value() + "/", cursor));
            seen += page.locks().size();
            cursor = page.next();
        } while (!cursor.isEmpty());
        assertThat(seen).isEqualTo(locks);
    }

    @Test
    void a_table_that_is_gone_and_a_right_that_is_missing_are_errors() {
        SERVER.run("create database gone");
        PostgresConfig config =
                PostgresConfig.of("127.0.0.1", SERVER.port(), "gone").credentials("postgres", "-");
        try (TestBackend owner = TestBackend.on(
                PostgresBackend.on(config.locks(PostgresLocks.defaults().create(true))))) {
            owner.granted(claim("a"));
            SERVER.run("create role reader login");
            try (TestBackend reader = TestBackend.on(PostgresBackend.on(config.credentials("reader", "-")))) {
                assertThat(failure(inspector(reader).list("", "")).kind()).isEqualTo(Kind.DENIED);
                assertThat(failure(inspector(reader).find(name)).kind()).isEqualTo(Kind.DENIED);
            }
            run(config, "drop table hasp_holder");
            assertThat(failure(inspector(owner).find(name)).kind()).isEqualTo(Kind.INCOMPATIBLE);
            assertThat(failure(inspector(owner).list("", "")).kind()).isEqualTo(Kind.INCOMPATIBLE);
        }
    }

    private static void run(PostgresConfig config, String sql) {
        try (Connection connection = java.sql.DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/gone", "postgres", "-");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(config.toString(), e);
        }
    }

    /** It may be behind, and may show a lock as held or free that is not. */
    @Test
    void a_replica_shows_no_locks() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            TestBackend.on(server).close();
            recover(server);
            BackendFailure failure = null;
            try (TestBackend operator =
                    TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(server.uri() + "&notify=poll"))))) {
                failure = failure(inspector(operator).list("", ""));
                assertThat(failure(inspector(operator).find(name)).kind()).isEqualTo(Kind.UNAVAILABLE);
            } catch (BackendFailure e) {
                failure = e;
            }
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        }
    }

    private static void recover(PostgresServer server) throws IOException, java.sql.SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show data_directory")) {
            row.next();
            Files.createFile(Path.of(row.getString(1)).resolve("standby.signal"));
        }
        server.restart();
    }

    @Test
    void a_silent_server_is_an_error_within_the_command_timeout() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.port());
                TestBackend operator = TestBackend.on(PostgresBackend.on(PostgresConfig.of(
                        URI.create(PostgresServer.uri("127.0.0.1:" + proxy.port()) + "&commandTimeout=500ms"))))) {
            proxy.set(TrafficPolicy.HOLD);
            long start = System.nanoTime();
            assertThat(failure(inspector(operator).list("", "")).kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure(inspector(operator).find(name)).kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }
    }
}
