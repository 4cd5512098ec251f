package io.hasp.examples.sql;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.rules.HaspConformance;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;

/** The rules over locks in an SQL database. Nothing breaks an embedded one, so rules about outages are skipped. */
@InTier(Tier.STANDARD)
class SqlBackendTest implements HaspConformance {
    private static final JdbcConnectionPool DATABASE =
            JdbcConnectionPool.create("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1", "", "");

    @Override
    public HaspSubject subject() {
        return new HaspSubject("example-sql", options -> LockClient.over(SqlBackend.on(DATABASE), options));
    }

    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public void deleteLock(String lock) throws SQLException {
                try (Connection connection = DATABASE.getConnection();
                        PreparedStatement delete = connection.prepareStatement("delete from locks where name = ?")) {
                    delete.setString(1, lock);
                    delete.executeUpdate();
                }
            }
        };
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                "no client processes for this subject",
                "no network before this subject",
                "no means here to pause, kill or restart the server",
                "no means here to hold writing requests back",
                "no means here to lose the notifications of waiters",
                "no means here to ask the server who is at a lock",
                "no means here to count what the server keeps",
                "no means here to count what the server receives",
                "no token floor is offered",
                "no kept locks are offered",
                "no inspection is offered",
                "FIFO is not claimed",
                "READ_WRITE is not claimed",
                "SEMAPHORE is not claimed");
    }

    @AfterAll
    static void stop() {
        DATABASE.dispose();
    }
}
