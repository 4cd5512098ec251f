package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The least work that can be called a lock on PostgreSQL: one statement that inserts a row, or replaces an expired one, and one that deletes
 * it, each a transaction of its own. Not {@code pg_advisory_lock}, which writes nothing: a lock that another session can find after a crash
 * has to be written. A hold keeps its connection, so each thread has its own. A thread that finds the lock taken retries a little later.
 *
 * @param uri of the database, in Hasp's form
 * @param lease after which a silent client's locks are free
 * @param durable false if a release does not wait for the disk, as Hasp's: if a crash forgets it, the lease ends the hold
 */
record MinimalPostgresLock(String uri, Duration lease, boolean durable) implements LockSubject {
    private static final String TAKE = "insert into baseline values (?, ?, clock_timestamp() + ? * interval '1 ms')"
            + " on conflict (name) do update set holder = excluded.holder, expires = excluded.expires"
            + " where baseline.expires < clock_timestamp()";
    private static final String GIVE_BACK = "delete from baseline where name = ? and holder = ?";
    private static final String NOT_WAITING = " and set_config('synchronous_commit', 'off', true) is not null";

    /** The same as the default of the other locks. */
    static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return durable ? "baseline-postgres-durable" : "baseline-postgres";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws SQLException {
        User user = new User(
                PostgresEndpoint.of(uri),
                lease.toMillis(),
                durable ? GIVE_BACK : GIVE_BACK + NOT_WAITING,
                new ConcurrentLinkedDeque<>());
        user.idle.add(user.connect());
        return user;
    }

    /** A connection with both statements, which its driver prepares on the server. */
    private record Session(Connection connection, PreparedStatement take, PreparedStatement giveBack) {}

    private record User(PostgresEndpoint endpoint, long leaseMillis, String ending, Deque<Session> idle)
            implements LockUser {

        private Session connect() throws SQLException {
            Connection connection = endpoint.connect();
            return new Session(connection, connection.prepareStatement(TAKE), connection.prepareStatement(ending));
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            Session pooled = idle.pollFirst();
            Session session = pooled != null ? pooled : connect();
            String holder = UUID.randomUUID().toString();
            if (!PollingWait.until(wait, () -> taken(session.take, lock, holder))) {
                idle.addFirst(session);
                return Optional.empty();
            }
            return Optional.of(() -> {
                session.giveBack.setString(1, lock);
                session.giveBack.setString(2, holder);
                boolean was = session.giveBack.executeUpdate() == 1;
                idle.addFirst(session);
                return was;
            });
        }

        private boolean taken(PreparedStatement take, String lock, String holder) throws SQLException {
            take.setString(1, lock);
            take.setString(2, holder);
            take.setLong(3, leaseMillis);
            return take.executeUpdate() == 1;
        }

        @Override
        public void close() throws SQLException {
            for (Session session : idle) {
                session.connection.close();
            }
        }
    }
}
