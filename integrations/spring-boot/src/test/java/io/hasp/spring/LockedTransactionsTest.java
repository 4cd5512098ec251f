package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.locked.Locked;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The commit comes before the release, on a real database. */
@Timeout(60)
class LockedTransactionsTest {

    static class Stock {
        private final JdbcTemplate database;
        private final LockClient locks;
        private final ObjectProvider<Lease> lease;

        Stock(JdbcTemplate database, LockClient locks, ObjectProvider<Lease> lease) {
            this.database = database;
            this.locks = locks;
            this.lease = lease;
        }

        /** Reads, then writes: without the lock around the commit updates are lost. */
        @Locked("stock")
        @Transactional
        public void decrement() {
            Integer left = database.queryForObject("SELECT left_over FROM stock", Integer.class);
            database.update("UPDATE stock SET left_over = ?", Objects.requireNonNull(left) - 1);
        }

        @Transactional
        @Locked("stock")
        public boolean heldAtCommit(List<Boolean> heldAfterCommit) {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    heldAfterCommit.add(isHeld());
                }
            });
            return isHeld();
        }

        @Locked("stock")
        public long token() {
            return lease.getObject().fencingToken();
        }

        @Transactional
        @Locked(value = "stock", onLoss = OnLoss.INTERRUPT)
        public void loseAndSleep() throws InterruptedException {
            database.update("UPDATE stock SET left_over = 0");
            locks.closeNow();
            Thread.sleep(60_000);
        }

        @Transactional
        @Locked("stock")
        public void loseAndReturn() {
            database.update("UPDATE stock SET left_over = 0");
            locks.closeNow();
        }

        boolean isHeld() {
            return locks.lock("stock")
                    .tryAcquire()
                    .map(free -> {
                        free.close();
                        return false;
                    })
                    .orElse(true);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean
        DataSource dataSource() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:stock;DB_CLOSE_DELAY=-1");
            return source;
        }

        @Bean
        JdbcTemplate database(DataSource source) {
            JdbcTemplate template = new JdbcTemplate(source);
            template.execute("DROP TABLE IF EXISTS stock");
            template.execute("CREATE TABLE stock (left_over INT)");
            template.execute("INSERT INTO stock VALUES (200)");
            return template;
        }

        @Bean
        DataSourceTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        Stock stock(JdbcTemplate database, LockClient locks, ObjectProvider<Lease> lease) {
            return new Stock(database, locks, lease);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class UsualOrder {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class EarlyOrder {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Integer.MIN_VALUE)
    static class FirstOrder {}

    private static ApplicationContextRunner with(Class<?> order) {
        return Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://transactions")
                .withUserConfiguration(order, Database.class);
    }

    @Test
    void the_commit_comes_before_the_release_whatever_the_order_of_the_annotations() {
        for (Class<?> order : List.of(UsualOrder.class, EarlyOrder.class)) {
            with(order).run(context -> {
                Stock stock = context.getBean(Stock.class);
                List<Boolean> heldAfterCommit = new CopyOnWriteArrayList<>();
                assertThat(stock.heldAtCommit(heldAfterCommit)).isTrue();
                assertThat(heldAfterCommit)
                        .as("after the commit with %s", order)
                        .containsExactly(true);
                assertThat(stock.isHeld()).isFalse();
            });
        }
    }

    @Test
    void no_update_is_lost() {
        with(UsualOrder.class).run(context -> {
            Stock stock = context.getBean(Stock.class);
            ExecutorService clients = Executors.newFixedThreadPool(8);
            try {
                List<Future<?>> all = IntStream.range(0, 200)
                        .<Future<?>>mapToObj(i -> clients.submit(stock::decrement))
                        .toList();
                for (Future<?> each : all) {
                    each.get(30, TimeUnit.SECONDS);
                }
            } finally {
                clients.shutdownNow();
            }
            assertThat(context.getBean(JdbcTemplate.class).queryForObject("SELECT left_over FROM stock", Integer.class))
                    .isZero();
        });
    }

    @Test
    void a_transaction_that_can_not_be_inside_is_refused() {
        with(FirstOrder.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("begins its transaction before the lock is taken"));
    }

    @Test
    void a_call_inside_of_a_transaction_holds_its_lock_until_that_has_ended() {
        with(UsualOrder.class).run(context -> {
            Stock stock = context.getBean(Stock.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
            transaction.executeWithoutResult(status -> {
                long token = stock.token();
                assertThat(stock.isHeld()).isTrue();
                assertThat(stock.token()).as("re-entered, not waited for").isEqualTo(token);
            });
            assertThat(stock.isHeld()).isFalse();
            transaction.executeWithoutResult(status -> {
                stock.decrement();
                status.setRollbackOnly();
            });
            assertThat(stock.isHeld()).as("after a rollback").isFalse();
        });
    }

    @Test
    void a_transaction_whose_lock_is_gone_is_rolled_back() {
        with(UsualOrder.class).run(context -> {
            JdbcTemplate database = context.getBean(JdbcTemplate.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        context.getBean(Stock.class).token();
                        database.update("UPDATE stock SET left_over = 0");
                        context.getBean(LockClient.class).closeNow();
                    }));
            assertThat(database.queryForObject("SELECT left_over FROM stock", Integer.class))
                    .isEqualTo(200);
        });
    }

    /** By Spring's rules a checked exception such as InterruptedException, and a method that returns, commit. */
    @Test
    void a_transaction_in_a_method_whose_lock_was_lost_is_rolled_back_whatever_the_method_did() {
        with(UsualOrder.class).run(context -> {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> context.getBean(Stock.class).loseAndSleep());
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(left(context)).isEqualTo(200);
        });
        with(UsualOrder.class).run(context -> {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> context.getBean(Stock.class).loseAndReturn());
            assertThat(left(context)).isEqualTo(200);
        });
    }

    @Test
    void a_transaction_around_a_method_that_was_interrupted_is_rolled_back_although_its_code_hides_the_loss() {
        with(UsualOrder.class).run(context -> {
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        assertThatExceptionOfType(LeaseLostException.class)
                                .isThrownBy(() -> context.getBean(Stock.class).loseAndSleep());
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }));
            assertThat(left(context)).isEqualTo(200);
        });
    }

    private static @Nullable Integer left(ApplicationContext context) {
        return context.getBean(JdbcTemplate.class).queryForObject("SELECT left_over FROM stock", Integer.class);
    }
}
