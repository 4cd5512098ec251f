package io.hasp.examples.sql;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.rules.HaspConformance;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;

/** The rules over locks in an SQL database. Nothing breaks an embedded one, so rules about outages are skipped. */
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
                "ap2_wait_during_an_outage_ends_on_time_with_the_backends_error",
                "fa11_server_that_does_not_answer_is_an_exception_and_never_busy",
                "fa11_server_that_falls_silent_in_the_middle_of_a_wait_is_an_exception",
                "fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception",
                "fa11_server_that_is_down_is_an_exception_and_never_busy",
                "li3_waiter_wakes_when_the_notification_is_lost",
                "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone");
    }

    @AfterAll
    static void stop() {
        DATABASE.dispose();
    }
}
