package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The checks of an operator's doctor, each on a database that fails it, and those that a client's role may not make. */
class DiagnosisTest {
    private static final PostgresServer SERVER = PostgresServer.start("max_connections=30");
    private static final Diagnosis.Limits USUAL = Diagnosis.Limits.USUAL;

    @BeforeAll
    static void create() {
        TestBackend.on(SERVER).close();
        SERVER.run("create role worker login");
        SERVER.run("grant select, insert, update, delete on hasp_lock, hasp_holder, hasp_waiter, hasp_tombstone,"
                + " hasp_fence to worker");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static PostgresConfig config(PostgresServer server, String database, String user) {
        return PostgresConfig.of("127.0.0.1", server.port(), database).credentials(user, "-");
    }

    private static List<Finding> diagnose(String database, String user) {
        return Diagnosis.of(config(SERVER, database, user), TestBackend.context(), USUAL);
    }

    private static void assertFound(List<Finding> findings, String check, Level level, String text) {
        assertThat(findings)
                .filteredOn(each -> each.check().equals(check))
                .as(findings.toString())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.level()).as(each.text()).isEqualTo(level);
                    assertThat(each.text()).contains(text);
                    assertThat(each.page()).isEqualTo("guarantees/postgres.md");
                });
    }

    @Test
    void a_clients_role_can_make_all_checks_while_no_other_role_is_connected() {
        assertThat(diagnose("postgres", "worker")).noneMatch(each -> each.level() == Level.FAIL);
        assertThat(diagnose("postgres", "worker")).noneMatch(each -> each.level() == Level.UNKNOWN);
    }

    @Test
    void an_old_server_is_bad() {
        Diagnosis.Limits later = new Diagnosis.Limits(9_999_999, USUAL.oldestTransaction());
        List<Finding> findings = Diagnosis.of(config(SERVER, "postgres", "worker"), TestBackend.context(), later);
        assertFound(findings, "version", Level.FAIL, "or later is needed");
        assertFound(diagnose("postgres", "worker"), "version", Level.OK, "");
    }

    @Test
    void a_replica_is_bad() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            TestBackend.on(server).close();
            Path data = Path.of(text(server, "show data_directory"));
            Files.createFile(data.resolve("standby.signal"));
            server.restart();
            List<Finding> findings = Diagnosis.of(config(server, "postgres", "postgres"), TestBackend.context(), USUAL);
            assertFound(findings, "role", Level.FAIL, "replica: it takes no writes");
            assertFound(findings, "messages", Level.WARN, "LISTEN");
        }
    }

    private static String text(PostgresServer server, String query) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void another_encoding_is_bad() {
        SERVER.run("create database latin encoding 'LATIN1' template template0");
        List<Finding> findings = diagnose("latin", "postgres");
        assertFound(findings, "encoding", Level.FAIL, "LATIN1: names of locks need UTF8");
        assertFound(findings, "schema", Level.FAIL, "UTF8");
    }

    @Test
    void another_isolation_is_bad_behind_a_pooler() {
        SERVER.run("create role strict login superuser");
        SERVER.run("alter role strict set default_transaction_isolation = 'serializable'");
        PostgresConfig strict = config(SERVER, "postgres", "strict");
        assertFound(diagnose("postgres", "strict"), "isolation", Level.OK, "");
        assertFound(
                Diagnosis.of(
                        strict.locks(strict.locks().notification(Notification.POLL)), TestBackend.context(), USUAL),
                "isolation",
                Level.FAIL,
                "serializable: a client behind a pooler is refused");
    }

    @Test
    void settings_that_lose_grants_or_keep_transactions_open_are_doubtful() {
        assertFound(diagnose("postgres", "worker"), "open transactions", Level.WARN, "stays open");
        assertFound(diagnose("postgres", "worker"), "durability", Level.OK, "");
        SERVER.run("create role hasty login superuser");
        SERVER.run("alter role hasty set synchronous_commit = off");
        SERVER.run("alter role hasty set idle_in_transaction_session_timeout = '1min'");
        assertFound(diagnose("postgres", "hasty"), "durability", Level.WARN, "may lose grants");
        assertFound(diagnose("postgres", "hasty"), "open transactions", Level.OK, "");
    }

    @Test
    void a_replica_that_no_commit_waits_for_is_doubtful() throws SQLException {
        assertFound(diagnose("postgres", "worker"), "replication", Level.OK, "no replica");
        Properties replica = new Properties();
        replica.setProperty("user", "postgres");
        replica.setProperty("password", "-");
        replica.setProperty("replication", "true");
        replica.setProperty("assumeMinServerVersion", "14");
        replica.setProperty("preferQueryMode", "simple");
        try (Connection connected =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres", replica)) {
            assertThat(connected.isClosed()).isFalse();
            assertFound(diagnose("postgres", "worker"), "replication", Level.WARN, "a failover may lose grants");
        }
    }

    @Test
    void tables_that_are_missing_or_forbidden_are_bad() {
        SERVER.run("create database bare");
        assertFound(diagnose("bare", "worker"), "schema", Level.FAIL, "schema-1.sql");
        assertFound(creating("worker"), "schema", Level.FAIL, "schema-1.sql");
        assertFound(creating("postgres"), "schema", Level.OK, "the first client creates them");
        TestBackend.on(PostgresBackend.on(config(SERVER, "bare", "postgres")
                        .locks(PostgresLocks.defaults().create(true))))
                .close();
        assertFound(diagnose("bare", "worker"), "schema", Level.OK, "version 1");
        assertFound(diagnose("bare", "worker"), "privileges", Level.FAIL, "INSERT on \"public\".hasp_lock");
        SERVER.run("create role outsider login");
        SERVER.run("revoke execute on function hasp_version from public");
        try {
            assertFound(diagnose("postgres", "outsider"), "schema", Level.FAIL, "permission denied");
        } finally {
            SERVER.run("grant execute on function hasp_version to public");
        }
    }

    /** With {@code schema=create}. */
    private static List<Finding> creating(String user) {
        PostgresConfig config = config(SERVER, "bare", user);
        return Diagnosis.of(config.locks(PostgresLocks.defaults().create(true)), TestBackend.context(), USUAL);
    }

    @Test
    void functions_that_are_forbidden_are_bad() {
        SERVER.run("revoke execute on function hasp_transfer from public");
        try {
            assertFound(diagnose("postgres", "worker"), "privileges", Level.FAIL, "EXECUTE on hasp_transfer(");
        } finally {
            SERVER.run("grant execute on function hasp_transfer to public");
        }
    }

    @Test
    void messages_that_may_not_be_sent_are_doubtful() {
        SERVER.run("revoke execute on function pg_notify(text, text) from public");
        try {
            assertFound(diagnose("postgres", "worker"), "messages", Level.WARN, "permission denied");
        } finally {
            SERVER.run("grant execute on function pg_notify(text, text) to public");
        }
    }

    @Test
    void a_server_without_free_connections_is_doubtful_also_for_a_role_that_sees_no_others() throws SQLException {
        assertFound(diagnose("postgres", "worker"), "connections", Level.OK, "free");
        List<Connection> others = new ArrayList<>();
        try {
            for (int i = 0; i < 22; i++) {
                others.add(SERVER.connect());
            }
            assertFound(diagnose("postgres", "postgres"), "connections", Level.WARN, "fewer than one client needs");
            assertFound(diagnose("postgres", "worker"), "connections", Level.WARN, "fewer than one client needs");
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    @Test
    void an_old_transaction_is_doubtful_and_one_that_is_hidden_is_unknown() throws SQLException {
        Diagnosis.Limits limits = new Diagnosis.Limits(USUAL.oldestVersion(), Duration.ZERO);
        try (Connection other = SERVER.connect()) {
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            other.createStatement().execute("select 1");
            PostgresConfig all = config(SERVER, "postgres", "postgres");
            assertFound(
                    Diagnosis.of(all, TestBackend.context(), limits),
                    "oldest transaction",
                    Level.WARN,
                    "become slower");
            assertFound(diagnose("postgres", "postgres"), "oldest transaction", Level.OK, " s");
            assertFound(diagnose("postgres", "worker"), "oldest transaction", Level.UNKNOWN, "pg_read_all_stats");
        }
    }

    @Test
    void a_server_that_ends_in_the_middle_fails_and_the_other_checks_are_not_made() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.port())) {
            proxy.when(Direction.REQUESTS, "server_encoding", connection -> {
                proxy.refuse();
                connection.cut(ConnectionEnd.RST);
            });
            PostgresConfig config =
                    PostgresConfig.of("127.0.0.1", proxy.port(), "postgres").credentials("worker", "-");
            List<Finding> findings = Diagnosis.of(config, TestBackend.context(), USUAL);
            assertFound(findings, "connection", Level.FAIL, "127.0.0.1");
            assertThat(findings).map(Finding::check).containsExactly("address", "version", "role", "connection");
        }
    }
}
