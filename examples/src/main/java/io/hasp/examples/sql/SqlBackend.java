package io.hasp.examples.sql;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/**
 * A backend of its own: locks as rows of an SQL table, written for H2. Each statement is a transaction of its own and
 * compares the holder's id and the database's clock by itself, so no two of them need to agree. There is no queue and no
 * notification: waiters poll. Rows stay, because the token counts in them.
 */
public final class SqlBackend implements LockBackend {
    private static final int TIMEOUT_SECONDS = 2;
    private static final Duration POLL = Duration.ofMillis(20);

    private static final String TABLE = """
            create table if not exists locks (name varchar(512) primary key, holder varchar(200),
            token bigint not null, expires timestamp(9) with time zone not null)""";
    private static final String ADD = """
            insert into locks select ?, null, 0, current_timestamp
            where not exists (select 1 from locks where name = ?)""";
    private static final String TAKE = """
            update locks set expires = dateadd(millisecond, ?, current_timestamp), token = token + 1, holder = ?
            where name = ? and expires <= current_timestamp""";
    private static final String PROLONG = """
            update locks set expires = greatest(expires, dateadd(millisecond, ?, current_timestamp))
            where holder = ? and name = ? and expires > current_timestamp""";
    private static final String RELEASE = """
            update locks set holder = null, expires = current_timestamp
            where holder = ? and name = ? and expires > current_timestamp""";
    private static final String TOKEN = "select token from locks where holder = ? and name = ?";

    private final DataSource database;

    private SqlBackend(DataSource database) {
        this.database = database;
    }

    /**
     * Locks in a database.
     *
     * @param database closed by its owner, after the lock client
     * @return what {@code LockClient.over} takes
     */
    public static BackendSource on(DataSource database) {
        return context -> {
            SqlBackend backend = new SqlBackend(database);
            backend.update(TABLE);
            return backend;
        };
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE)
                .surviving(Capabilities.Survives.SERVER_RESTART);
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        return answer(() -> {
            long lease = claim.lease().toMillis();
            String holder = claim.holder().toString();
            String name = claim.name().toString();
            boolean granted = update(PROLONG, lease, holder, name) == 1
                    || update(TAKE, lease, holder, name) == 1
                    || (update(ADD, name, name) == 1 && update(TAKE, lease, holder, name) == 1);
            return granted ? asGranted(claim) : new Attempt.Busy(POLL);
        });
    }

    /** Another thread may have withdrawn the holder since, whose wait was interrupted. */
    private Attempt asGranted(Claim claim) {
        return run(TOKEN, new Object[] {claim.holder().toString(), claim.name().toString()}, select -> {
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? new Attempt.Granted(Grant.of(claim, row.getLong(1), claim.lease()))
                        : new Attempt.Gone();
            }
        });
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return answer(() -> run(PROLONG, new Object[0], statement -> {
            for (Grant grant : held) {
                Claim claim = grant.claim();
                fill(
                        statement,
                        claim.lease().toMillis(),
                        claim.holder().toString(),
                        claim.name().toString());
                statement.addBatch();
            }
            int[] kept = statement.executeBatch();
            List<Renewal> renewals = new ArrayList<>();
            for (int i = 0; i < kept.length; i++) {
                renewals.add(
                        kept[i] == 1
                                ? new Renewal.Renewed(held.get(i).claim().lease())
                                : new Renewal.Lost("its row was taken over, or its lease ran out"));
            }
            return renewals;
        }));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        String holder = claim.holder().toString();
        String name = claim.name().toString();
        return answer(() -> update(RELEASE, holder, name) == 1 ? Released.RELEASED : Released.NOT_HELD);
    }

    @Override
    public void close() {
        // The database belongs to the user; leases that are still held run out.
    }

    private interface Question<T> {
        T ask();
    }

    private static <T> CompletionStage<T> answer(Question<T> question) {
        try {
            return CompletableFuture.completedFuture(question.ask());
        } catch (BackendFailure e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the number of changed rows; zero if another client added the row first. */
    private int update(String sql, Object... values) {
        return run(sql, values, statement -> {
            try {
                return statement.executeUpdate();
            } catch (SQLIntegrityConstraintViolationException e) {
                return 0;
            }
        });
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    private <T> T run(String sql, Object[] values, Execution<T> execution) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            fill(statement, values);
            return execution.of(statement);
        } catch (SQLException e) {
            throw new BackendFailure(
                    BackendFailure.Kind.UNAVAILABLE,
                    BackendFailure.Outcome.UNKNOWN,
                    "the database did not do it: " + e.getMessage(),
                    e);
        }
    }

    private static void fill(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }
}
