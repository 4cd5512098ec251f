package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.locked.Locked;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks and data in one database: a transaction of a holder whose lease has ended commits nothing after the next holder has begun. */
@Timeout(120)
class LockedTransactionsOnPostgresTest {
    private static final PostgresServer POSTGRES = PostgresServer.start();
    private static final LockClient OTHER = LockClient.connect(POSTGRES.uri());

    private final ApplicationContextRunner database = Boot.withDatabase(
                    "spring.datasource.url=jdbc:postgresql://127.0.0.1:" + POSTGRES.port() + "/postgres",
                    "spring.datasource.username=postgres",
                    "spring.datasource.password=postgres")
            .withBean(Account.class);

    @BeforeEach
    void table() {
        POSTGRES.run("create table account (balance bigint)");
        POSTGRES.run("insert into account values (100)");
    }

    @AfterEach
    void nothing_is_left() {
        POSTGRES.run("drop table account");
    }

    @AfterAll
    static void stop() {
        OTHER.close();
        POSTGRES.close();
    }

    private static long balance() {
        return POSTGRES.run("select balance from account");
    }

    /** The server has ended the lease, and its holder, paused until now, does not know. The next holder has written. */
    private static void nextHolder() {
        POSTGRES.run("delete from hasp_holder where holder <> '' and name = 'account'");
        try (Lease next = OTHER.lock("account").tryAcquire().orElseThrow()) {
            assertThat(next.fencingToken()).isPositive();
            POSTGRES.run("update account set balance = 50");
        }
    }

    static class Account {
        private final JdbcTemplate database;
        private final ObjectProvider<Lease> lease;

        Account(JdbcTemplate database, ObjectProvider<Lease> lease) {
            this.database = database;
            this.lease = lease;
        }

        @Locked("account")
        @Transactional
        public void set(long balance, Runnable pause) {
            pause.run();
            database.update("UPDATE account SET balance = ?", balance);
        }

        /** Begins a transaction of its own after the pause. */
        @Locked("account")
        public void setLater(TransactionTemplate transaction, Runnable pause) {
            pause.run();
            transaction.executeWithoutResult(status -> database.update("UPDATE account SET balance = 0"));
        }

        @Locked("account")
        @Transactional(readOnly = true)
        public @Nullable Long read(Runnable pause) {
            pause.run();
            return database.queryForObject("SELECT balance FROM account", Long.class);
        }

        @Locked({"account", "second"})
        @Transactional
        public void both(Runnable pause) {
            pause.run();
            database.update("UPDATE account SET balance = 0");
        }

        @Locked("account")
        public void in(Runnable work) {
            work.run();
        }

        /** Without a transaction on this database. */
        @Locked("account")
        public void addAtOnce(long more) {
            database.update("UPDATE account SET balance = balance + ?", more);
        }

        @Locked("account")
        @Transactional(propagation = Propagation.MANDATORY)
        public void add(long more) {
            assertThat(lease.getObject().fencingToken()).isPositive();
            database.update("UPDATE account SET balance = balance + ?", more);
        }
    }

    private static void refused(Runnable call) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(call::run)
                .withMessageContaining("account");
        assertThat(balance()).isEqualTo(50);
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Test
    void a_late_write_is_not_committed() {
        database.run(context -> {
            Account account = context.getBean(Account.class);
            account.set(70, () -> {});
            assertThat(balance()).isEqualTo(70);
            refused(() -> account.set(0, LockedTransactionsOnPostgresTest::nextHolder));
        });
    }

    @Test
    void transactions_that_begin_inside_of_the_method_are_checked_as_well() {
        database.run(context -> refused(() -> context.getBean(Account.class)
                .setLater(transaction(context), LockedTransactionsOnPostgresTest::nextHolder)));
    }

    @Test
    void transactions_around_the_method_are_checked_at_their_own_commit() {
        database.run(context -> {
            Account account = context.getBean(Account.class);
            transaction(context).executeWithoutResult(status -> account.add(1));
            assertThat(balance()).isEqualTo(101);
            // The next holder writes nothing, because this transaction has the row.
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        account.add(1);
                        POSTGRES.run("delete from hasp_holder where holder <> '' and name = 'account'");
                        OTHER.lock("account").tryAcquire().orElseThrow().close();
                    }));
            assertThat(balance()).isEqualTo(101);
        });
    }

    @Test
    void each_of_several_locks_is_checked() {
        database.run(context ->
                refused(() -> context.getBean(Account.class).both(LockedTransactionsOnPostgresTest::nextHolder)));
    }

    @Test
    void transactions_that_only_read_are_not_checked() {
        database.run(context -> {
            AtomicReference<@Nullable Long> read = new AtomicReference<>();
            assertThatCode(() -> read.set(context.getBean(Account.class).read(() -> {})))
                    .doesNotThrowAnyException();
            assertThat(read.get()).isEqualTo(100);
        });
    }

    @Test
    void transactions_on_another_database_are_not_checked_although_the_method_uses_this_one() {
        database.run(context -> {
            new TransactionTemplate(new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:other")))
                    .executeWithoutResult(
                            status -> context.getBean(Account.class).addAtOnce(1));
            assertThat(balance()).isEqualTo(101);
        });
    }

    /** A transaction manager uses the data source behind such a proxy. */
    @Test
    void a_late_write_through_a_proxy_that_knows_transactions_is_not_committed() {
        String url = "jdbc:postgresql://127.0.0.1:" + POSTGRES.port() + "/postgres";
        database.withBean(
                        DataSource.class,
                        () -> new TransactionAwareDataSourceProxy(
                                new DriverManagerDataSource(url, "postgres", "postgres")))
                .run(context -> refused(
                        () -> context.getBean(Account.class).set(0, LockedTransactionsOnPostgresTest::nextHolder)));
    }

    /** Another data source bean, or none, of the same pool. */
    @Test
    void a_late_write_through_a_data_source_over_the_same_pool_is_not_committed() {
        database.run(context -> {
            DataSource lazy = new LazyConnectionDataSourceProxy(context.getBean(DataSource.class));
            DataSourceTransactionManager manager = new DataSourceTransactionManager(lazy);
            JdbcTemplate data = new JdbcTemplate(lazy);
            refused(() -> new TransactionTemplate(manager)
                    .executeWithoutResult(
                            status -> context.getBean(Account.class).in(() -> {
                                nextHolder();
                                data.update("UPDATE account SET balance = 0");
                            })));
        });
    }

    /**
     * The same locks by a URI: Hasp does not know there that they are in the database of the transaction. The release finds the loss after the
     * commit.
     */
    @Test
    void without_the_fence_a_late_write_is_committed() {
        database.withPropertyValues("hasp.uri=" + POSTGRES.uri()).run(context -> {
            Account account = context.getBean(Account.class);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> account.set(0, LockedTransactionsOnPostgresTest::nextHolder));
            assertThat(balance()).as("the next holder's 50 is lost").isZero();
        });
    }
}
