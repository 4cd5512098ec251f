package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.LockedAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** A test in a transaction that Spring begins before it and rolls back after it. */
@Timeout(60)
@ExtendWith(SpringExtension.class)
@ContextConfiguration(classes = TestManagedTransactionTest.Shop.class)
@TestPropertySource(properties = "hasp.uri=memory://managed")
@Transactional
class TestManagedTransactionTest {
    static class Stock {
        private final JdbcTemplate database;

        Stock(JdbcTemplate database) {
            this.database = database;
            database.execute("CREATE TABLE managed (sold INT)");
        }

        @Locked("managed")
        @Transactional
        public void sell() {
            database.update("INSERT INTO managed VALUES (1)");
        }

        int sold() {
            return database.queryForList("SELECT sold FROM managed").size();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Shop {
        @Bean
        DataSource dataSource() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:managed;DB_CLOSE_DELAY=-1");
            return source;
        }

        @Bean
        DataSourceTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        Stock stock(DataSource source) {
            return new Stock(new JdbcTemplate(source));
        }
    }

    @Autowired
    private Stock stock;

    @Autowired
    private LockClient locks;

    private boolean isFreeElsewhere() throws Exception {
        return CompletableFuture.supplyAsync(
                        () -> locks.lock("managed").tryAcquire().map(lease -> {
                            lease.close();
                            return true;
                        }))
                .get(10, TimeUnit.SECONDS)
                .isPresent();
    }

    @Test
    void the_lock_is_held_until_the_transaction_of_the_test_has_ended() throws Exception {
        stock.sell();
        stock.sell();
        assertThat(stock.sold()).isEqualTo(2);
        assertThat(isFreeElsewhere()).isFalse();
    }

    @AfterTransaction
    void afterwards() throws Exception {
        assertThat(stock.sold()).isZero();
        assertThat(isFreeElsewhere()).isTrue();
    }
}
