package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.PostgresServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Locks on the database of an application's data source, which never wait for a connection of its pool. */
class DataSourceTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final PostgresLocks LOCKS = PostgresLocks.defaults().create(true);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static PGSimpleDataSource plain() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {SERVER.port()});
        source.setDatabaseName("postgres");
        source.setUser("postgres");
        return source;
    }

    /** A pool with one connection, in a transaction that waits for a lock. */
    private static void holdsWithTheOnlyConnectionInUse(HikariConfig config) throws Exception {
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection connection = pool.getConnection()) {
            connection.createStatement().execute("select 1");
            try (LockClient client = LockClient.over(PostgresBackend.on(pool, LOCKS), ClientOptions.defaults());
                    LockClient other = LockClient.connect(SERVER.uri())) {
                Lease lease = client.lock("pooled").acquire();
                // A snapshot from before the lease passes no check.
                connection.rollback();
                PostgresFence.check(connection, lease);
                connection.commit();
                assertThat(other.lock("pooled").tryAcquire()).isEmpty();
                lease.release();
                other.lock("pooled")
                        .tryAcquire(Duration.ofSeconds(20))
                        .orElseThrow()
                        .release();
            }
            assertThat(pool.isClosed()).isFalse();
        }
    }

    @Test
    void a_pool_with_an_address_lends_no_connection() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres");
        config.setUsername("postgres");
        config.setPassword("postgres");
        holdsWithTheOnlyConnectionInUse(config);
    }

    @Test
    void a_pool_over_a_data_source_lends_no_connection() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain());
        holdsWithTheOnlyConnectionInUse(config);
    }

    /** The way that HikariCP's own page recommends. */
    @Test
    void a_pool_over_the_class_of_a_data_source_lends_no_connection() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSourceClassName(PGSimpleDataSource.class.getName());
        config.addDataSourceProperty("url", "jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres");
        config.setUsername("postgres");
        holdsWithTheOnlyConnectionInUse(config);
    }

    @Test
    void a_pool_over_a_data_source_lends_its_user() throws Exception {
        HikariConfig config = new HikariConfig();
        PGSimpleDataSource source = plain();
        source.setUser("no-such-role");
        config.setDataSource(source);
        config.setUsername("postgres");
        config.setPassword("postgres");
        holdsWithTheOnlyConnectionInUse(config);
    }

    @Test
    void new_connections_have_the_present_password_of_the_pool() throws Exception {
        SERVER.useRule("host all rotating 127.0.0.1/32 scram-sha-256");
        SERVER.run("create role rotating superuser login password 'old'");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres");
        config.setUsername("rotating");
        config.setPassword("old");
        try (HikariDataSource pool = new HikariDataSource(config);
                LockClient client = LockClient.over(PostgresBackend.on(pool, LOCKS), ClientOptions.defaults())) {
            client.lock("rotating").acquire().release();
            SERVER.run("alter role rotating password 'new'");
            pool.getHikariConfigMXBean().setPassword("new");
            SERVER.run("select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'rotating'");
            try (Lease lease = client.lock("rotating").acquire()) {
                assertThat(lease.fencingToken()).isPositive();
            }
        }
    }

    /** A data source that counts how often its connections are aborted, and notes the threads that use them. */
    private static DataSource counting(AtomicInteger aborts, Set<Thread> users) {
        InvocationHandler source = (proxy, method, arguments) -> {
            Object result = method.invoke(plain(), arguments);
            return result instanceof Connection connection ? counting(connection, aborts, users) : result;
        };
        return (DataSource) Proxy.newProxyInstance(
                DataSourceTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, source);
    }

    private static Connection counting(Connection connection, AtomicInteger aborts, Set<Thread> users) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            users.add(Thread.currentThread());
            if (method.getName().equals("abort")) {
                aborts.incrementAndGet();
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Connection) Proxy.newProxyInstance(
                DataSourceTest.class.getClassLoader(), new Class<?>[] {Connection.class}, handler);
    }

    /** A pool warns of a connection that is removed twice. */
    @Test
    void a_client_that_is_closed_ends_the_connection_that_listens_once() throws Exception {
        int clients = 20;
        AtomicInteger aborts = new AtomicInteger();
        Set<Thread> users = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < clients; i++) {
            LockClient.over(PostgresBackend.on(counting(aborts, users), LOCKS), ClientOptions.defaults())
                    .close();
        }
        for (Thread user : users) {
            if (user.getName().equals("hasp-postgres-listen")) {
                user.join(10_000);
                assertThat(user.isAlive()).isFalse();
            }
        }
        assertThat(aborts).hasValue(clients);
    }

    /** A pool that does not say which library it is of, and that does not reset what its users have set. */
    private record OtherPool(HikariDataSource pool) implements InvocationHandler {
        DataSource source() {
            return (DataSource)
                    Proxy.newProxyInstance(OtherPool.class.getClassLoader(), new Class<?>[] {DataSource.class}, this);
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            try {
                return method.getName().equals("isWrapperFor") ? false : method.invoke(pool, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @Test
    void a_pool_of_another_library_gets_its_connections_back_as_they_were() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain());
        config.setMaximumPoolSize(2);
        config.setConnectionInitSql("set lock_timeout = '7s'; set default_transaction_isolation = 'serializable'");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            DataSource other = new OtherPool(pool).source();
            try (LockClient client =
                    LockClient.over(PostgresBackend.on(other, LOCKS.poolSize(1)), ClientOptions.defaults())) {
                client.lock("lent").acquire().release();
            }
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection()) {
                for (Connection each : List.of(first, second)) {
                    assertThat(Schema.text(each, "show statement_timeout")).isEqualTo("0");
                    assertThat(Schema.text(each, "show lock_timeout")).isEqualTo("7s");
                    assertThat(Schema.text(each, "show default_transaction_isolation"))
                            .isEqualTo("serializable");
                    assertThat(Schema.text(each, "show application_name")).doesNotContain("hasp");
                    assertThat(Schema.text(each, "select count(*) from pg_listening_channels()"))
                            .isEqualTo("0");
                }
            }
        }
    }

    @Test
    void a_client_opens_no_more_connections_than_its_pool_and_one_that_listens() throws Exception {
        try (TestBackend client = TestBackend.on(PostgresBackend.on(plain(), LOCKS.poolSize(2)))) {
            List<Thread> threads = new java.util.ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int caller = i;
                Thread thread = new Thread(() -> {
                    for (int round = 0; round < 5; round++) {
                        client.granted(io.hasp.spi.Claim.fixedLease(
                                new io.hasp.spi.LockName("many-" + caller + "-" + round),
                                new io.hasp.spi.HolderId("h-" + caller + "-" + round),
                                Duration.ofSeconds(5),
                                false));
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await("connections of other tests end")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> SERVER.run("select count(*) from pg_stat_activity where pid <> pg_backend_pid()"
                                    + " and backend_type = 'client backend'")
                            <= 3);
            assertThat(SERVER.run("select count(*) from hasp_holder where name like 'many%'"))
                    .isEqualTo(60);
        }
    }
}
