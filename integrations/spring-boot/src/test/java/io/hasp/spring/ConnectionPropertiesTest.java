package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.BackendException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.Ordering;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Replicas, order and names of connections, where {@code hasp.*} is about the application's own connection. */
@Timeout(180)
@InTier(Tier.STANDARD)
class ConnectionPropertiesTest {
    private static final RedisServer ALONE = RedisServer.start();
    private static final String[] ACKNOWLEDGED = {"hasp.acknowledge=1", "hasp.acknowledge-within=500ms"};

    @AfterAll
    static void stop() {
        ALONE.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithRedisson {
        @Bean(destroyMethod = "shutdown")
        RedissonClient redisson() {
            Config config = new Config();
            config.useSingleServer()
                    .setAddress("redis://127.0.0.1:" + ALONE.port())
                    .setConnectionPoolSize(4)
                    .setConnectionMinimumIdleSize(1);
            return Redisson.create(config);
        }
    }

    private static void refusesToAcquire(ApplicationContextRunner application) {
        application.run(context -> assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> context.getBean(LockClient.class).lock("none").tryAcquire())
                .withMessageContaining("acknowledge"));
    }

    @Test
    void a_grant_through_redisson_waits_for_replicas() {
        refusesToAcquire(
                Boot.withHasp().withUserConfiguration(WithRedisson.class).withPropertyValues(ACKNOWLEDGED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void a_grant_in_a_cluster_waits_for_replicas(String client) {
        try (ClusterServers servers = ClusterServers.start(false, Duration.ofSeconds(5))) {
            refusesToAcquire(Boot.withRedis(
                            "spring.data.redis.cluster.nodes=" + servers.addresses(),
                            "spring.data.redis.client-type=" + client)
                    .withPropertyValues(ACKNOWLEDGED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void replicas_of_a_cluster_acknowledge(String client) {
        try (ClusterServers servers = ClusterServers.start(true, Duration.ofSeconds(5))) {
            Boot.withRedis(
                            "spring.data.redis.cluster.nodes=" + servers.addresses(),
                            "spring.data.redis.client-type=" + client)
                    .withPropertyValues(ACKNOWLEDGED)
                    .run(context -> context.getBean(LockClient.class)
                            .lock("acknowledged")
                            .acquire()
                            .close());
        }
    }

    /** Each service is in order or refuses. */
    @Test
    void strict_order_is_that_of_the_service_or_refused() {
        order(Boot.withRedis("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + ALONE.port()));
        order(Boot.withRedis(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + ALONE.port(),
                "spring.data.redis.client-type=jedis"));
        order(Boot.withHasp().withUserConfiguration(WithRedisson.class));
        Boot.withHasp()
                .withPropertyValues("hasp.uri=redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3", "hasp.ordering=fifo")
                .run(context -> assertThat(context).hasFailed());
    }

    private static void order(ApplicationContextRunner application) {
        application.withPropertyValues("hasp.ordering=fifo").run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            assertThat(locks.capabilities().ordering()).isEqualTo(Ordering.FIFO);
            try (LockClient other =
                    LockClient.connect("redis://127.0.0.1:" + ALONE.port() + "?ordering=fifo&connection=jedis")) {
                Lease held = locks.lock("in order").acquire();
                long keys = keys();
                var first = other.lock("in order").acquireAsync();
                org.awaitility.Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> keys() > keys);
                var second = locks.lock("in order").acquireAsync();
                held.close();
                Lease next = first.get(20, TimeUnit.SECONDS);
                assertThat(second).isNotDone();
                next.close();
                second.get(20, TimeUnit.SECONDS).close();
            }
        });
    }

    /** A client that waits has keys of its own, or is in one more. */
    private static long keys() throws IOException {
        try (RespConnection connection = ALONE.connect()) {
            return connection.integer("DBSIZE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void connections_have_the_name_that_the_application_gives_its_own(String client) {
        Boot.withRedis(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + ALONE.port(),
                        "spring.data.redis.client-name=shop",
                        "spring.data.redis.client-type=" + client)
                .run(context -> {
                    context.getBean(LockClient.class).lock("named").acquire().close();
                    assertThat(namesOfConnections()).contains("shop").doesNotContain("");
                });
    }

    private static Set<String> namesOfConnections() throws IOException {
        Set<String> names = new TreeSet<>();
        try (RespConnection connection = ALONE.connect()) {
            connection.command("CLIENT", "SETNAME", "shop");
            for (String line :
                    String.valueOf(connection.command("CLIENT", "LIST")).split("\n")) {
                for (String part : List.of(line.split(" "))) {
                    if (part.startsWith("name=")) {
                        names.add(part.substring("name=".length()));
                    }
                }
            }
        }
        return names;
    }
}
