package io.hasp.examples.springboot;

import io.hasp.locked.Locked;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that every instance has and one at a time does. */
@Component
public class StockCount {
    private final JdbcTemplate database;

    StockCount(JdbcTemplate database) {
        this.database = database;
    }

    /** Notes how many items there are; nothing happens while another instance does it. */
    @Scheduled(fixedRate = 500)
    @Locked(value = "stock-count", waitAtMost = "0s", skipIfBusy = true)
    public void count() {
        database.update("INSERT INTO stock_count SELECT CURRENT_TIMESTAMP, SUM(left_over) FROM stock");
    }
}
