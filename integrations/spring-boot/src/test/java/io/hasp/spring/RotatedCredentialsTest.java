package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Credentials;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A server whose password changes while the service runs: the lease lives on, and further locks are taken. */
@Timeout(120)
@InTier(Tier.STANDARD)
class RotatedCredentialsTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final RedisServer server = RedisServer.start("requirepass first");
    private final ApplicationContextRunner alone = Boot.withHasp()
            .withPropertyValues(
                    "hasp.renewed-lease=" + LEASE.toSeconds() + "s",
                    "spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + server.port(),
                    "spring.data.redis.password=first");

    @AfterEach
    void stop() {
        server.close();
    }

    private void change() throws IOException {
        try (RespConnection admin = server.connect()) {
            admin.command("AUTH", "first");
            admin.command("CONFIG", "SET", "requirepass", "second");
            admin.command("CLIENT", "KILL", "TYPE", "normal");
            admin.command("CLIENT", "KILL", "TYPE", "pubsub");
        }
    }

    private void outlives(ConfigurableApplicationContext context, Runnable rotated) throws Exception {
        LockClient locks = context.getBean(LockClient.class);
        try (Lease lease = locks.lock("rotated").acquire()) {
            rotated.run();
            change();
            await().during(LEASE.multipliedBy(2))
                    .atMost(LEASE.multipliedBy(4))
                    .until(() -> lease.state() == LeaseState.HELD);
            locks.lock("further").acquire().close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Vault {
        final AtomicReference<String> password = new AtomicReference<>("first");

        @Bean
        Supplier<Credentials> redisCredentials() {
            return () -> new Credentials("", Objects.requireNonNull(password.get()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void a_bean_gives_the_present_password(String client) {
        Boot.withRedis(
                        "hasp.renewed-lease=" + LEASE.toSeconds() + "s",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + server.port(),
                        "spring.data.redis.password=first",
                        "spring.data.redis.client-type=" + client)
                .withUserConfiguration(Vault.class)
                .run(context -> outlives(
                        context.getSourceApplicationContext(),
                        () -> context.getBean(Vault.class).password.set("second")));
    }

    @Test
    void a_bean_gives_it_without_spring_data_redis_too() {
        alone.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .withUserConfiguration(Vault.class)
                .run(context -> outlives(
                        context.getSourceApplicationContext(),
                        () -> context.getBean(Vault.class).password.set("second")));
    }

    @Test
    void without_spring_data_redis_its_property_is_read_again() {
        String[] present = {"first"};
        alone.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new PropertySource<>("vault", present) {
                            @Override
                            public @Nullable Object getProperty(String name) {
                                return name.equals("spring.data.redis.password") ? present[0] : null;
                            }
                        }))
                .run(context -> outlives(context.getSourceApplicationContext(), () -> present[0] = "second"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLettuce {
        @Bean
        LettuceConnectionFactory own(Environment environment) {
            return new LettuceConnectionFactory(at(environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnJedis {
        @Bean
        JedisConnectionFactory own(Environment environment) {
            return new JedisConnectionFactory(at(environment));
        }
    }

    private static RedisStandaloneConfiguration at(Environment environment) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(
                "127.0.0.1", environment.getRequiredProperty("spring.data.redis.port", Integer.class));
        server.setPassword("first");
        return server;
    }

    @Test
    void the_password_of_a_factory_is_read_again() {
        alone.withUserConfiguration(OwnLettuce.class)
                .run(context -> outlives(
                        context.getSourceApplicationContext(),
                        () -> context.getBean(LettuceConnectionFactory.class)
                                .getStandaloneConfiguration()
                                .setPassword("second")));
    }

    @Test
    void so_is_that_of_a_factory_for_jedis() {
        alone.withUserConfiguration(OwnJedis.class)
                .run(context -> outlives(
                        context.getSourceApplicationContext(),
                        () -> Objects.requireNonNull(context.getBean(JedisConnectionFactory.class)
                                        .getStandaloneConfiguration())
                                .setPassword("second")));
    }

    /** In Boot 4 their type comes with Spring Data Redis. */
    @Test
    void in_boot_3_connection_details_are_read_again() {
        if (Boot.isBoot3()) {
            AtomicReference<String> password = new AtomicReference<>("first");
            alone.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                    .withBean(Boot.redisDetailsType(), () -> Boot.redisDetails(server.port(), password::get))
                    .run(context -> outlives(context.getSourceApplicationContext(), () -> password.set("second")));
        }
    }

    @Test
    void a_bean_beside_a_uri_is_refused() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=redis://:first@127.0.0.1:" + server.port())
                .withUserConfiguration(Vault.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage(
                                "the bean 'redisCredentials' gives credentials for the application's own connection, and"
                                        + " hasp.uri is set, too"));
    }

    @Test
    void a_bean_that_fails_is_one_line_without_its_message() {
        alone.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                .withUserConfiguration(Failing.class)
                .run(context -> assertThat(
                                Boot.explained(context.getStartupFailure()).getMessage())
                        .contains("the credentials provider threw java.lang.IllegalStateException")
                        .doesNotContain("vault is sealed"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {
        @Bean
        Supplier<Credentials> redisCredentials() {
            return () -> {
                throw new IllegalStateException("vault is sealed");
            };
        }
    }
}
