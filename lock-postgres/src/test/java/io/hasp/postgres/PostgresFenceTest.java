package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A transaction that has checked its lease commits before the next holder begins, or not at all. */
class PostgresFenceTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final PostgresServer SERVER = PostgresServer.start();

    private final String name = "fence-" + UUID.randomUUID();

    @BeforeAll
    static void data() {
        connect().close();
        SERVER.run("create table stored (value text)");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static LockClient connect() {
        return LockClient.connect(
                java.net.URI.create(SERVER.uri()), ClientOptions.defaults().renewedLease(Duration.ofSeconds(30)));
    }

    private static Connection transaction() throws SQLException {
        Connection connection = SERVER.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private void write(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into stored values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
    }

    private long stored() {
        return SERVER.run("select count(*) from stored where value = '" + name + "'");
    }

    /** The server has ended the lease, and its holder does not know yet. */
    private void end() {
        new PostgresFaults(SERVER).deleteLock(name);
    }

    @Test
    void a_late_write_is_committed_without_the_check_and_not_with_it() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection connection = transaction()) {
            Lease late = client.lock(name).acquire();
            end();
            Lease next = other.lock(name).acquire();
            assertThat(late.state()).isEqualTo(LeaseState.HELD);

            write(connection);
            connection.commit();
            assertThat(stored()).as("writes without the check").isEqualTo(1);

            write(connection);
            assertThatThrownBy(() -> PostgresFence.check(connection, late))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining(name);
            connection.rollback();
            assertThat(stored()).isEqualTo(1);

            write(connection);
            PostgresFence.check(connection, next);
            connection.commit();
            assertThat(stored()).isEqualTo(2);
        }
    }

    @Test
    void a_checked_transaction_keeps_the_next_holder_out_until_it_ends() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection connection = transaction()) {
            Lease lease = client.lock(name).acquire();
            write(connection);
            PostgresFence.check(connection, lease);
            end();
            assertThat(other.lock(name).tryAcquire()).isEmpty();
            CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
            await("it waits").atMost(LONG).until(() -> new PostgresFaults(SERVER).present(name) == 1);
            assertThat(waiting).isNotDone();
            connection.commit();
            try (Lease next = waiting.get()) {
                assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            }
            assertThat(stored()).isEqualTo(1);
        }
    }

    @Test
    void renewals_and_the_release_do_not_wait_for_a_checked_transaction() throws Exception {
        try (TestBackend client = TestBackend.on(SERVER);
                Connection connection = transaction()) {
            Claim claim = Claim.renewedLease(new LockName(name), new HolderId("holder"), Duration.ofMinutes(1), false);
            Grant grant = client.granted(claim);
            assertThat(checked(connection, name, grant.token() * 256)).isTrue();
            assertThat(TestBackend.answer(client.backend().renew(List.of(grant)))
                            .get(0))
                    .isInstanceOf(Renewal.Renewed.class);
            assertThat(TestBackend.answer(client.backend().release(claim))).isEqualTo(Released.RELEASED);
            Claim next = claim.withHolder(new HolderId("next"));
            assertThat(client.acquire(next)).isInstanceOf(Attempt.Busy.class);
            connection.rollback();
            client.granted(next);
        }
    }

    @Test
    void a_later_lease_on_the_same_grant_ends_the_checks_of_the_earlier_one() throws Exception {
        try (LockClient client = connect();
                Connection second = transaction()) {
            Lease earlier;
            Lease later;
            do {
                // A grant passes on for 20 ms only: a busy machine needs several tries.
                earlier = client.lock(name).acquire();
                CompletableFuture<Lease> waiting = client.lock(name).acquireAsync();
                earlier.release();
                later = waiting.get();
            } while (later.fencingToken() / 256 != earlier.fencingToken() / 256
                    && later.release() == ReleaseResult.RELEASED);
            assertThat(later.fencingToken()).isGreaterThan(earlier.fencingToken());

            assertThat(checked(second, earlier))
                    .as("before the first check of the later")
                    .isTrue();
            Lease newest = later;
            CompletableFuture<Boolean> passes = CompletableFuture.supplyAsync(() -> {
                try (Connection third = transaction()) {
                    boolean passed = checked(third, newest);
                    third.commit();
                    return passed;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await("the check waits for the transaction of the earlier lease")
                    .atMost(LONG)
                    .until(() ->
                            SERVER.run("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") == 1);
            assertThat(passes).isNotDone();
            second.commit();
            assertThat(passes.get()).isTrue();
            assertThat(checked(second, earlier)).as("after it").isFalse();
            second.rollback();
            later.release();
        }
    }

    private static boolean checked(Connection connection, Lease lease) throws SQLException {
        return checked(connection, lease.name(), lease.fencingToken());
    }

    private static boolean checked(Connection connection, String name, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select hasp_check(?, ?)")) {
            statement.setString(1, name);
            statement.setLong(2, token);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Test
    void readers_check_side_by_side_and_a_writer_waits_for_them() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection first = transaction();
                Connection second = transaction()) {
            Lease written = client.readWriteLock(name).write().acquire();
            PostgresFence.check(first, written);
            first.commit();
            written.release();
            Lease one = client.readWriteLock(name).read().acquire();
            PostgresFence.check(first, one);
            Lease two = other.readWriteLock(name).read().acquire();
            PostgresFence.check(second, two);
            PostgresFence.check(second, two);
            second.commit();
            end();
            assertThat(other.readWriteLock(name).write().tryAcquire()).isEmpty();
            first.commit();
            Lease writer = other.readWriteLock(name).write().tryAcquire(LONG).orElseThrow();
            assertThatThrownBy(() -> PostgresFence.check(first, one)).isInstanceOf(LeaseLostException.class);
            first.rollback();
            Lease reader = client.readWriteLock(name).read().tryAcquire().orElse(null);
            assertThat(reader).isNull();
            Lease lowered = other.readWriteLock(name).downgrade(writer);
            Lease beside = client.readWriteLock(name).read().tryAcquire(LONG).orElseThrow();
            PostgresFence.check(first, lowered);
            PostgresFence.check(second, beside);
            first.rollback();
            second.rollback();
        }
    }

    @Test
    void the_server_ends_a_checked_transaction_that_stays_idle() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            statement.execute("set idle_in_transaction_session_timeout = '300ms'");
            connection.commit();
            Lease lease = client.lock(name).acquire();
            write(connection);
            PostgresFence.check(connection, lease);
            end();
            assertThat(other.lock(name).tryAcquire(LONG)).isPresent();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThat(stored()).isZero();
        }
    }

    /** PostgreSQL gives the lock of the row back then. */
    @Test
    void a_rollback_to_a_savepoint_from_before_the_check_ends_the_check() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection connection = transaction()) {
            Lease lease = client.lock(name).acquire();
            write(connection);
            Savepoint before = connection.setSavepoint();
            PostgresFence.check(connection, lease);
            end();
            assertThat(other.lock(name).tryAcquire()).isEmpty();
            connection.rollback(before);
            assertThat(other.lock(name).tryAcquire()).isPresent();
            assertThatThrownBy(() -> PostgresFence.check(connection, lease)).isInstanceOf(LeaseLostException.class);
            connection.rollback();
        }
    }

    @Test
    void misuse_is_refused() throws Exception {
        try (LockClient client = connect();
                Connection connection = SERVER.connect()) {
            Lease lease = client.lock(name).acquire();
            assertThatThrownBy(() -> PostgresFence.check(connection, lease))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
            connection.setAutoCommit(false);
            assertThatCode(() -> PostgresFence.check(connection, lease)).doesNotThrowAnyException();
            connection.rollback();
            lease.release();
            assertThatThrownBy(() -> PostgresFence.check(connection, lease)).isInstanceOf(LeaseReleasedException.class);
        }
    }

    /** Also where the snapshot of the transaction is older than the next holder. */
    @Test
    void an_old_snapshot_passes_no_check() throws Exception {
        try (LockClient client = connect();
                LockClient other = connect();
                Connection connection = transaction();
                Statement statement = connection.createStatement()) {
            Lease late = client.lock(name).acquire();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("select count(*) from stored").close();
            end();
            assertThat(other.lock(name).tryAcquire()).isPresent();
            write(connection);
            assertThatThrownBy(() -> PostgresFence.check(connection, late))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("could not serialize");
            connection.rollback();
            assertThat(stored()).isZero();
        }
    }
}
