package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** The data source that an application has, on a real PostgreSQL, without {@code hasp.uri}. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class DataSourceConnectionTest {
    private static final PostgresServer POSTGRES = PostgresServer.start();
    private static final String URL = "jdbc:postgresql://127.0.0.1:" + POSTGRES.port() + "/postgres";
    private static final String[] DATABASE = {
        "spring.datasource.url=" + URL, "spring.datasource.username=postgres", "spring.datasource.password=secret"
    };

    private final ApplicationContextRunner database =
            Boot.withDatabase(DATABASE).withPropertyValues("hasp.postgres.create=true");

    @AfterAll
    static void stop() {
        POSTGRES.close();
    }

    private static long held(String table) {
        return POSTGRES.run("select count(*) from " + table + " where name = 'connection' and holder <> ''");
    }

    private static void locks(LockClient client, String table) throws Exception {
        try (Lease lease = client.lock("connection").acquire()) {
            assertThat(lease.fencingToken()).isPositive();
            assertThat(held(table)).isEqualTo(1);
        }
        assertThat(held(table)).isZero();
    }

    @Test
    void boots_data_source_has_the_locks(CapturedOutput output) {
        database.run(context -> {
            locks(context.getBean(LockClient.class), "hasp_holder");
            assertThat(output)
                    .contains("Locks at PostgreSQL by the DataSource 'dataSource'")
                    .doesNotContain("secret");
        });
    }

    @Test
    void locks_need_no_connection_of_the_applications_pool() {
        database.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    try (Connection only = context.getBean(DataSource.class).getConnection()) {
                        locks(context.getBean(LockClient.class), "hasp_holder");
                        assertThat(only.isValid(1)).isTrue();
                        assertThat(context.getBean(HikariDataSource.class)
                                        .getHikariPoolMXBean()
                                        .getTotalConnections())
                                .isEqualTo(1);
                    }
                });
    }

    @Test
    void service_connections_count_as_the_data_source_that_boot_makes_of_them(CapturedOutput output) {
        Boot.withDatabase("hasp.postgres.create=true")
                .withBean(Boot.jdbcDetailsType(), () -> Boot.jdbcDetails(URL))
                .run(context -> {
                    locks(context.getBean(LockClient.class), "hasp_holder");
                    assertThat(output).contains("Locks at PostgreSQL by the DataSource 'dataSource'");
                });
    }

    @Test
    void schema_and_prefix_are_those_of_the_properties() {
        POSTGRES.run("create schema locks");
        database.withPropertyValues("hasp.postgres.schema=locks", "hasp.key-prefix=shop", "hasp.postgres.pool-size=1")
                .run(context -> locks(context.getBean(LockClient.class), "locks.shop_holder"));
    }

    @Test
    void clients_behind_a_pooler_do_not_listen() {
        database.withPropertyValues("hasp.postgres.notification=poll").run(context -> {
            locks(context.getBean(LockClient.class), "hasp_holder");
            assertThat(listening()).isZero();
        });
        database.run(context -> {
            locks(context.getBean(LockClient.class), "hasp_holder");
            await().atMost(Duration.ofSeconds(30)).until(() -> listening() == 1);
        });
    }

    private static long listening() {
        return POSTGRES.run("select count(*) from pg_stat_activity where application_name = 'hasp listens'");
    }

    @Test
    void missing_tables_are_refused() {
        Boot.withDatabase(DATABASE)
                .withPropertyValues("hasp.key-prefix=missing")
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("PostgreSQL by the DataSource 'dataSource'")
                        .hasMessageContaining("has no tables"));
    }

    /** As Flyway and Liquibase do. */
    private static ApplicationContextRunner withScript(String database) {
        POSTGRES.run("create database " + database);
        return Boot.withDatabase(DATABASE)
                .withPropertyValues(
                        "spring.datasource.url=" + URL.replaceFirst("/postgres$", "/" + database),
                        "spring.sql.init.mode=always",
                        "spring.sql.init.separator=" + ScriptUtils.EOF_STATEMENT_SEPARATOR,
                        "spring.sql.init.schema-locations=classpath:io/hasp/postgres/schema-1.sql");
    }

    private static void locks(ApplicationContext context) throws InterruptedException {
        try (Lease lease = context.getBean(LockClient.class).lock("scripted").acquire()) {
            assertThat(lease.fencingToken()).isPositive();
        }
    }

    @Test
    void tables_that_the_application_creates_at_its_start_are_there_before_its_clients() {
        withScript("scripted").run(DataSourceConnectionTest::locks);
        withScript("named")
                .withPropertyValues("hasp.uri=postgresql://postgres:secret@127.0.0.1:" + POSTGRES.port() + "/named")
                .run(DataSourceConnectionTest::locks);
    }

    /** As a migration under a lock. */
    static final class Preparation extends DataSourceScriptDatabaseInitializer {
        Preparation(DataSource source, LockClient client) {
            super(source, new DatabaseInitializationSettings());
            assertThat(client.lock("preparation").tryAcquire()).isPresent();
        }
    }

    @Test
    void what_prepares_the_database_may_use_a_lock() {
        database.withBean(Preparation.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void another_database_is_refused() {
        Boot.withDatabase("spring.datasource.url=jdbc:h2:mem:other;PASSWORD=hidden")
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage("hasp.uri is not set, and the database of the DataSource 'dataSource' is no"
                                + " PostgreSQL: its URL begins with jdbc:h2:")
                        .extracting(HaspConfigurationException::action)
                        .asString()
                        .startsWith("Set hasp.uri"));
        Boot.withDatabase()
                .withBean("own", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:own"))
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageEndingWith("'own' is no PostgreSQL: it is H2"));
    }

    @Test
    void data_sources_without_a_pool_are_used() {
        Boot.withDatabase("hasp.postgres.create=true")
                .withBean(DataSource.class, () -> {
                    PGSimpleDataSource source = new PGSimpleDataSource();
                    source.setUrl(URL);
                    source.setUser("postgres");
                    return source;
                })
                .run(context -> locks(context.getBean(LockClient.class), "hasp_holder"));
        Boot.withDatabase("hasp.postgres.create=true")
                .withBean(
                        DataSource.class,
                        () -> new LazyConnectionDataSourceProxy(new DriverManagerDataSource(URL, "postgres", "secret")))
                .run(context -> locks(context.getBean(LockClient.class), "hasp_holder"));
    }

    /** A pool of another library can't be told from a wrapper: its connections would be the application's. */
    static final class OtherPool extends DelegatingDataSource {
        OtherPool() {
            super(new SingleConnectionDataSource(URL, "postgres", "secret", true));
        }
    }

    @Test
    void another_pool_is_refused() {
        Boot.withDatabase()
                .withBean("pool", DataSource.class, OtherPool::new)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageStartingWith("the DataSource 'pool' is a OtherPool"));
    }

    @Test
    void redis_stays_the_service_of_an_application_that_has_both(CapturedOutput output) {
        try (RedisServer redis = RedisServer.start()) {
            String[] both = {
                "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port(), "hasp.command-timeout=20s"
            };
            ApplicationContextRunner application =
                    Boot.withDatabaseAndRedis(DATABASE).withPropertyValues(both);
            application.run(context -> {
                assertThat(context).hasSingleBean(LockClient.class);
                assertThat(output).contains("Locks at redis://127.0.0.1:" + redis.port());
            });
            application
                    .withPropertyValues("hasp.connection=datasource", "hasp.postgres.create=true")
                    .run(context -> locks(context.getBean(LockClient.class), "hasp_holder"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "hasp.key-prefix=Shop,hasp.key-prefix is 'Shop'",
        "hasp.postgres.schema=a-b,hasp.postgres.schema is 'a-b'",
        "hasp.postgres.pool-size=0,hasp.postgres.pool-size is 0",
        "hasp.command-timeout=1ms,hasp.command-timeout is PT0.001S",
        "hasp.acknowledge=1,hasp.acknowledge is for Redis",
        "hasp.uri=memory://other,hasp.postgres.* is for the application's own connection"
    })
    void wrong_properties_are_refused_by_name(String property, String message) {
        database.withPropertyValues(property)
                .run(context ->
                        assertThat(Boot.explained(context.getStartupFailure())).hasMessageStartingWith(message));
    }
}
