package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Finding;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The tables are created only if that is requested, by any number of clients, and need few privileges. */
class SchemaTest {
    private static final PostgresServer SERVER = PostgresServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static PostgresConfig config(String schema, String prefix) {
        return PostgresConfig.of("127.0.0.1", SERVER.port(), "postgres")
                .credentials("postgres", "postgres")
                .locks(PostgresLocks.defaults().schema(schema).prefix(prefix));
    }

    private static PostgresConfig creating(PostgresConfig config) {
        return config.locks(config.locks().create(true));
    }

    private static void cycle(TestBackend client) {
        Claim claim = Claim.renewedLease(
                new LockName("schema"), new HolderId("h" + System.nanoTime()), Duration.ofSeconds(9), true);
        Attempt attempt = client.acquire(claim);
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        TestBackend.answer(client.backend().renew(List.of(((Attempt.Granted) attempt).grant())));
        assertThat(TestBackend.answer(client.backend().release(claim))).isEqualTo(Released.RELEASED);
        TestBackend.answer(client.backend().tokenFloor().orElseThrow().raise(new LockName("schema"), 1));
    }

    @Test
    void missing_tables_are_refused_with_the_file_to_run() {
        PostgresConfig config = config("public", "missing_");
        assertThatThrownBy(() -> TestBackend.on(PostgresBackend.on(config)))
                .isInstanceOfSatisfying(BackendFailure.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE);
                    assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
                    assertThat(failure)
                            .hasMessageContaining("schema-1.sql")
                            .hasMessageContaining("public.missing_")
                            .hasMessageContaining("\"public\".missing_")
                            .hasMessageContaining("schema=create")
                            .hasMessageContaining("docs/guarantees/postgres.md");
                });
        assertThat(SERVER.run("select count(*) from pg_tables where tablename like 'missing%'"))
                .isZero();
    }

    @Test
    void clients_that_create_the_tables_at_once_do_not_disturb_each_other() throws Exception {
        PostgresConfig config = creating(config("several", "locks_"));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<TestBackend>> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(CompletableFuture.supplyAsync(() -> TestBackend.on(PostgresBackend.on(config)), threads));
            }
            for (CompletableFuture<TestBackend> client : clients) {
                try (TestBackend connected = client.get()) {
                    cycle(connected);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(SERVER.run("select count(*) from pg_tables where schemaname = 'several'"))
                .isEqualTo(5);
        try (TestBackend again = TestBackend.on(PostgresBackend.on(config("several", "locks_")))) {
            cycle(again);
        }
    }

    @Test
    void creation_may_take_longer_than_a_command() throws Exception {
        Duration timeout = Duration.ofMillis(500);
        PostgresConfig config = creating(config("patient", "hasp_"));
        PostgresConfig hasty = config.locks(config.locks().commandTimeout(timeout));
        CompletableFuture<TestBackend> client;
        try (Connection other = SERVER.connect();
                Statement statement = other.createStatement()) {
            statement.execute("select pg_advisory_lock(" + 0x68617370 + ")");
            client = CompletableFuture.supplyAsync(() -> TestBackend.on(PostgresBackend.on(hasty)));
            while (SERVER.run("select count(*) from pg_locks where locktype = 'advisory' and not granted") == 0) {
                assertThat(client).isNotDone();
            }
            assertThatThrownBy(() -> client.get(3 * timeout.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
        }
        try (TestBackend connected = client.get()) {
            cycle(connected);
        }
    }

    /** As an administrator may have prepared it. */
    @Test
    void a_role_that_may_create_in_a_schema_only_creates_the_tables_there() {
        SERVER.run("create role tenant login");
        SERVER.run("create schema prepared authorization tenant");
        PostgresConfig tenant = creating(config("prepared", "hasp_")).credentials("tenant", "-");
        assertThat(Diagnosis.of(tenant, TestBackend.context()))
                .noneMatch(finding -> finding.level() == Finding.Level.FAIL);
        try (TestBackend client = TestBackend.on(PostgresBackend.on(tenant))) {
            cycle(client);
        }
    }

    /** The statements of the page. */
    @Test
    void a_role_with_the_least_privileges_can_do_everything() {
        TestBackend.on(PostgresBackend.on(creating(config("least", "hasp_")))).close();
        SERVER.run("create role worker login");
        PostgresConfig worker = config("least", "hasp_").credentials("worker", "-");
        assertThatThrownBy(() -> TestBackend.on(PostgresBackend.on(worker)))
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED));
        SERVER.run("grant usage on schema \"least\" to worker");
        try (TestBackend client = TestBackend.on(PostgresBackend.on(worker))) {
            assertThatThrownBy(() -> cycle(client)).isInstanceOfSatisfying(BackendFailure.class, failure -> {
                assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED);
                assertThat(failure).hasMessageContaining("permission denied").hasMessageContaining("Privileges");
            });
        }
        assertThat(Diagnosis.of(worker, TestBackend.context())).anySatisfy(finding -> {
            assertThat(finding.check()).isEqualTo("privileges");
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
        });
        SERVER.run(
                "grant select, insert, update, delete on \"least\".hasp_lock, \"least\".hasp_holder, \"least\".hasp_waiter,"
                        + " \"least\".hasp_tombstone, \"least\".hasp_fence to worker");
        try (TestBackend client = TestBackend.on(PostgresBackend.on(worker))) {
            assertThatCode(() -> cycle(client)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_diagnosis_of_a_sound_database_finds_nothing_bad() {
        URI uri = URI.create(SERVER.uri());
        TestBackend.on(SERVER).close();
        List<Finding> findings = new PostgresBackendProvider().diagnose(uri, TestBackend.context());
        assertThat(findings)
                .extracting(Finding::check)
                .contains("address", "version", "role", "durability", "schema", "privileges", "messages");
        assertThat(findings)
                .noneMatch(
                        finding -> finding.level() == Finding.Level.FAIL || finding.level() == Finding.Level.UNKNOWN);
    }

    @Test
    void a_diagnosis_of_an_unreachable_server_says_so() {
        URI uri = URI.create("postgresql://127.0.0.1:1/postgres");
        assertThat(new PostgresBackendProvider().diagnose(uri, TestBackend.context()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.FAIL));
    }
}
