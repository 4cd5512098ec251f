package io.hasp.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.OnLoss;
import io.hasp.redis.RedisBackend;
import io.hasp.spring.Boot;
import io.hasp.zookeeper.ZooKeeperBackend;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The clients that the properties name, in memory, and what is said about wrong ones. */
class HaspAutoConfigurationTest {
    private final ApplicationContextRunner hasp = Boot.withHasp();
    private final ApplicationContextRunner memory = hasp.withPropertyValues("hasp.uri=memory://auto");

    @Test
    void the_client_is_closed_with_the_application() {
        LockClient[] client = new LockClient[1];
        Lease[] lease = new Lease[1];
        memory.run(context -> {
            client[0] = context.getBean(LockClient.class);
            lease[0] = client[0].lock("a").acquire();
        });
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> client[0].lock("a").tryAcquire());
        memory.run(context -> {
            assertThat(context.getBean(LockClient.class).lock("a").tryAcquire())
                    .as("its lease is still in use")
                    .isEmpty();
            lease[0].close();
            assertThat(context.getBean(LockClient.class).lock("a").tryAcquire())
                    .as("its lease was released")
                    .isPresent();
        });
    }

    @Test
    void clients_with_names_are_injected_by_them() {
        memory.withPropertyValues("hasp.clients.ledger.uri=memory://ledger").run(context -> {
            LockClient unnamed = context.getBean(LockClient.class);
            LockClient ledger = BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                    context.getBeanFactory(), LockClient.class, "ledger");
            assertThat(ledger).isNotSameAs(unnamed).isSameAs(context.getBean("ledgerLockClient"));
            assertThat(unnamed).isSameAs(context.getBean("lockClient"));
        });
        hasp.withPropertyValues("hasp.clients.ledger.uri=memory://ledger")
                .run(context ->
                        assertThat(context).hasSingleBean(LockClient.class).hasBean("ledgerLockClient"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        LockClient mine() {
            return LockClient.connect("memory://mine");
        }
    }

    @Test
    void a_client_of_the_applications_own_takes_the_place_of_ours() {
        memory.withUserConfiguration(Own.class)
                .run(context ->
                        assertThat(context).hasSingleBean(LockClient.class).hasBean("mine"));
    }

    @Test
    void it_can_be_switched_off() {
        memory.withPropertyValues("hasp.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {
        static final List<LockEvent> EVENTS = new CopyOnWriteArrayList<>();

        @Bean
        LockListener events() {
            return EVENTS::add;
        }
    }

    @Test
    void options_and_listeners_reach_the_client() {
        assertThat(Boot.properties(java.util.Map.of("hasp.renewed-lease", "10s", "hasp.on-loss", "interrupt"))
                        .options())
                .isEqualTo(ClientOptions.defaults()
                        .renewedLease(java.time.Duration.ofSeconds(10))
                        .onLoss(OnLoss.INTERRUPT));
        memory.withUserConfiguration(Listening.class).run(context -> {
            context.getBean(LockClient.class).lock("told").run(lease -> {});
            Awaitility.await()
                    .atMost(10, TimeUnit.SECONDS)
                    .until(() -> Listening.EVENTS.stream().anyMatch(LockEvent.Released.class::isInstance));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hasp.uri=redi://127.0.0.1   | hasp.uri: no backend for the scheme 'redi'",
                "hasp.uri=nothing at all     | hasp.uri: the URI is not a URI",
                "hasp.uri=redis://127.0.0.1:1 | hasp.uri: could not connect to redis://127.0.0.1:1",
                "hasp.uri=memory://a?nosuch=1 | nosuch",
                "hasp.clients.ledger.uri=redi://x | hasp.clients.ledger.uri: no backend for the scheme 'redi'",
                "hasp.clients.ledger.uri=    | hasp.clients.ledger.uri is not set",
                "hasp.renewed-lease=1ms      | hasp.uri is not set, and the application has no connection",
                "hasp.connection=curator     | hasp.connection is curator, and the application has no such connection",
                "spring.application.name=x   | hasp.uri is not set, and the application has no connection"
            })
    void what_is_wrong_is_one_line_that_names_the_property(String property, String line) {
        hasp.withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Boot.explained(context.getStartupFailure()).getMessage()).contains(line);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hasp.renewed-lease=1ms | hasp.renewed-lease is PT0.001S",
                "hasp.unavailable-after=0s | hasp.unavailable-after is PT0S",
                "hasp.key-prefix=other | hasp.key-prefix is for the application's own connection, and hasp.uri is set",
                "hasp.connection=lettuce | hasp.connection is for the application's own connection"
            })
    void what_contradicts_a_uri_is_one_line_as_well(String property, String line) {
        memory.withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Boot.explained(context.getStartupFailure()).getMessage()).contains(line);
        });
    }

    @Test
    void a_property_that_is_unknown_or_of_another_type_is_refused() {
        memory.withPropertyValues("hasp.renewd-lease=10s")
                .run(context ->
                        assertThat(Boot.said(context.getStartupFailure())).contains("hasp.renewd-lease"));
        memory.withPropertyValues("hasp.renewed-lease=soon")
                .run(context ->
                        assertThat(Boot.said(context.getStartupFailure())).contains("hasp.renewed-lease"));
    }

    @Test
    void without_the_libraries_of_connections_the_rest_works() {
        FilteredClassLoader bare = new FilteredClassLoader(
                RedisBackend.class,
                ZooKeeperBackend.class,
                io.lettuce.core.RedisClient.class,
                org.redisson.api.RedissonClient.class,
                redis.clients.jedis.Jedis.class,
                org.springframework.data.redis.connection.RedisConnectionFactory.class,
                org.apache.curator.framework.CuratorFramework.class,
                org.springframework.transaction.support.TransactionSynchronization.class);
        memory.withClassLoader(bare).run(context -> assertThat(context).hasSingleBean(LockClient.class));
        hasp.withClassLoader(bare)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("hasp.uri is not set"));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(HaspAutoConfiguration.class)
    static class Application {}

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void an_application_that_fails_to_start_prints_the_line_and_what_to_do(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class);
        assertThatExceptionOfType(Exception.class).isThrownBy(() -> application.run("--hasp.uri=redi://x"));
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("hasp.uri: no backend for the scheme 'redi'")
                .contains("Action:");
    }
}
