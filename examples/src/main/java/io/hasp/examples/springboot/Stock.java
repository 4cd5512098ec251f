package io.hasp.examples.springboot;

import io.hasp.Lease;
import io.hasp.locked.Locked;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The number of items in stock, in a database. */
@Service
public class Stock {
    private final JdbcTemplate database;
    private final ObjectProvider<Lease> lease;

    Stock(JdbcTemplate database, ObjectProvider<Lease> lease) {
        this.database = database;
        this.lease = lease;
    }

    /**
     * Sells one, unless there is none. The lock is taken before the transaction begins, and released after its commit.
     *
     * @return whether there was one
     */
    @Locked("stock/{item}")
    @Transactional
    public boolean sell(long item, String instance) {
        int left = left(item);
        if (left == 0) {
            return false;
        }
        long token = lease.getObject().fencingToken();
        int updated = database.update(
                "UPDATE stock SET left_over = ?, token = ? WHERE item = ? AND token <= ?",
                left - 1,
                token,
                item,
                token);
        if (updated == 0) {
            throw new IllegalStateException("somebody else has held the lock since: token " + token + " is stale");
        }
        database.update("INSERT INTO sale (item, instance, token) VALUES (?, ?, ?)", item, instance, token);
        return true;
    }

    private int left(long item) {
        return Objects.requireNonNull(
                database.queryForObject("SELECT left_over FROM stock WHERE item = ?", Integer.class, item));
    }
}
