package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spring.connection.RedisSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The connections to Redis that an application has, on a real server with a password, without {@code hasp.uri}. */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationConnectionTest {
    private static final RedisServer REDIS = RedisServer.start("requirepass secret");
    private static final String HOST = "spring.data.redis.host=127.0.0.1";
    private static final String PORT = "spring.data.redis.port=" + REDIS.port();
    private static final String PASSWORD = "spring.data.redis.password=secret";

    private final ApplicationContextRunner lettuce = Boot.withRedis(HOST, PORT, PASSWORD);

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @AfterEach
    void everything_was_released() throws Exception {
        assertThat(held()).as("keys of held locks").isZero();
    }

    /** Keys of locks that live: what stays behind is only the counter of tokens. */
    private static long held() throws Exception {
        try (RespConnection connection = REDIS.connect()) {
            connection.command("AUTH", "secret");
            return connection.integer("EXISTS", "hasp:{connection}") + connection.integer("EXISTS", "app:{connection}");
        }
    }

    private static void locks(LockClient client) throws Exception {
        try (Lease lease = client.lock("connection").acquire()) {
            assertThat(lease.fencingToken()).isPositive();
            assertThat(held()).isEqualTo(1);
        }
    }

    @Test
    void a_password_that_is_not_set_is_what_the_message_tells_to_correct() {
        Boot.withRedis("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + REDIS.port())
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("NOAUTH")
                        .extracting(HaspConfigurationException::action)
                        .isEqualTo("Correct the user, the password, or what they permit."));
    }

    @Test
    void boots_lettuce_connection_is_used(CapturedOutput output) {
        lettuce.run(context -> {
            locks(context.getBean(LockClient.class));
            assertThat(output)
                    .contains("Locks at redis://127.0.0.1:" + REDIS.port()
                            + ", as Spring Data Redis by the LettuceConnectionFactory 'redisConnectionFactory'")
                    .doesNotContain("secret");
            try (Lease held =
                    context.getBean(LockClient.class).lock("connection").acquire()) {
                assertThat(context.getBean(StringRedisTemplate.class).hasKey("hasp:{connection}"))
                        .isTrue();
            }
        });
    }

    @Test
    void boots_jedis_connection_is_used(CapturedOutput output) {
        lettuce.withPropertyValues("spring.data.redis.client-type=jedis", "hasp.key-prefix=app")
                .run(context -> {
                    locks(context.getBean(LockClient.class));
                    assertThat(output)
                            .contains("Locks at redis://127.0.0.1:" + REDIS.port()
                                    + ", as Spring Data Redis by the JedisConnectionFactory 'redisConnectionFactory'");
                    try (Lease held =
                            context.getBean(LockClient.class).lock("connection").acquire()) {
                        assertThat(context.getBean(StringRedisTemplate.class).hasKey("app:{connection}"))
                                .isTrue();
                    }
                });
    }

    @Test
    void without_spring_data_redis_its_properties_are_read(CapturedOutput output) {
        ApplicationContextRunner bare =
                Boot.withHasp().withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class));
        bare.withPropertyValues(HOST, PORT, PASSWORD).run(context -> {
            locks(context.getBean(LockClient.class));
            assertThat(output).contains("as the spring.data.redis.* properties say");
        });
        bare.withPropertyValues("spring.data.redis.url=redis://:secret@127.0.0.1:" + REDIS.port())
                .run(context -> locks(context.getBean(LockClient.class)));
    }

    @Test
    void connection_details_win_over_properties(CapturedOutput output) {
        String at = "Locks at redis://127.0.0.1:" + REDIS.port();
        lettuce.withPropertyValues("spring.data.redis.port=1")
                .withBean(Boot.redisDetailsType(), () -> Boot.redisDetails(REDIS.port(), "secret"))
                .run(context -> {
                    locks(context.getBean(LockClient.class));
                    assertThat(output).contains(at + ", as Spring Data Redis by the LettuceConnectionFactory");
                });
    }

    /** In Boot 4 their type comes with Spring Data Redis. */
    @Test
    void in_boot_3_connection_details_need_no_spring_data_redis(CapturedOutput output) {
        if (Boot.isBoot3()) {
            Boot.withHasp()
                    .withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class))
                    .withPropertyValues(HOST, "spring.data.redis.port=1")
                    .withBean(Boot.redisDetailsType(), () -> Boot.redisDetails(REDIS.port(), "secret"))
                    .run(context -> {
                        locks(context.getBean(LockClient.class));
                        assertThat(output).contains("as the Redis connection details say");
                    });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {
        @Bean
        LettuceConnectionFactory own() {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", REDIS.port());
            server.setPassword("secret");
            return new LettuceConnectionFactory(server);
        }
    }

    /** It shuts its client and that one's threads down before the beans are destroyed. */
    @Test
    void a_factory_with_threads_of_its_own_is_no_obstacle_to_the_release() {
        Boot.withHasp().withUserConfiguration(OwnFactory.class).run(context -> {
            assertThat(context.getBean(LettuceConnectionFactory.class).getClientResources())
                    .isNull();
            locks(context.getBean(LockClient.class));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondFactory {
        @Bean
        JedisConnectionFactory second() {
            return new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", REDIS.port()));
        }
    }

    @Test
    void two_connections_of_a_kind_are_refused_by_name() {
        Boot.withHasp()
                .withUserConfiguration(OwnFactory.class, SecondFactory.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage("there are several beans of type RedisConnectionFactory for the locks: own, second")
                        .extracting(HaspConfigurationException::action)
                        .isEqualTo("Mark one of them with @Primary, or set hasp.uri."));
    }

    @Test
    void a_cluster_is_used(CapturedOutput output) {
        try (ClusterServers servers = ClusterServers.start(false, Duration.ofSeconds(5))) {
            for (String client : List.of("lettuce", "jedis")) {
                Boot.withRedis(
                                "spring.data.redis.cluster.nodes=" + servers.addresses(),
                                "spring.data.redis.client-type=" + client)
                        .run(context -> {
                            context.getBean(LockClient.class)
                                    .lock("connection")
                                    .acquire()
                                    .close();
                            assertThat(output)
                                    .contains(
                                            "Locks at redis-cluster://127.0.0.1:",
                                            "as Spring Data Redis by the "
                                                    + (client.equals("lettuce") ? "Lettuce" : "Jedis"));
                        });
            }
        }
    }

    @Test
    void the_master_that_sentinels_name_is_used(CapturedOutput output) {
        try (SentinelServers servers = SentinelServers.start(Duration.ofSeconds(5))) {
            for (String client : List.of("lettuce", "jedis")) {
                Boot.withRedis(
                                "spring.data.redis.sentinel.master=" + SentinelServers.MASTER_ID,
                                "spring.data.redis.sentinel.nodes=" + servers.addresses(),
                                "spring.data.redis.client-type=" + client)
                        .run(context -> {
                            context.getBean(LockClient.class)
                                    .lock("connection")
                                    .acquire()
                                    .close();
                            assertThat(output)
                                    .contains("Locks at redis-sentinel://" + servers.addresses() + "?sentinelMasterId="
                                            + SentinelServers.MASTER_ID + ", as Spring Data Redis by the "
                                            + (client.equals("lettuce") ? "Lettuce" : "Jedis"));
                        });
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithRedisson {
        @Bean(destroyMethod = "shutdown")
        RedissonClient redisson() {
            Config config = new Config();
            config.useSingleServer()
                    .setAddress("redis://:secret@127.0.0.1:" + REDIS.port())
                    .setConnectionPoolSize(4)
                    .setConnectionMinimumIdleSize(1);
            return Redisson.create(config);
        }
    }

    @Test
    void a_redisson_client_is_used_where_nothing_else_is_or_where_it_is_chosen(CapturedOutput output) {
        Boot.withHasp().withUserConfiguration(WithRedisson.class).run(context -> {
            locks(context.getBean(LockClient.class));
            assertThat(output).contains("Locks at Redis by the RedissonClient 'redisson'");
        });
        lettuce.withUserConfiguration(WithRedisson.class)
                .withPropertyValues("hasp.connection=redisson")
                .run(context -> locks(context.getBean(LockClient.class)));
    }

    @Test
    void a_server_that_is_not_there_is_one_line() {
        Boot.withRedis(HOST, "spring.data.redis.port=1")
                .run(context -> assertThat(
                                Boot.explained(context.getStartupFailure()).getMessage())
                        .contains("the connection to redis://127.0.0.1:1")
                        .doesNotContain("\n"));
    }

    @Test
    void boots_own_timeout_is_kept_and_a_default_of_a_minute_is_not() {
        HaspProperties none = Boot.properties(java.util.Map.of());
        RedisSettings settings =
                new RedisSettings(none, new org.springframework.mock.env.MockEnvironment(), java.util.Optional.empty());
        Duration minute = Duration.ofMinutes(1);
        assertThat(settings.timeout(minute, minute)).hasSeconds(2);
        assertThat(settings.timeout(Duration.ofSeconds(7), minute)).hasSeconds(7);
    }
}
