package io.hasp.spring.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spring.Boot;
import io.hasp.spring.HaspConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The locks are at the server that the application's connection leads to, or the application does not start. */
@InTier(Tier.STANDARD)
class SameServerTest {
    private static final RedisServer DATA = RedisServer.start();
    private static final RedisServer OTHER = RedisServer.start();

    @AfterAll
    static void stop() {
        DATA.close();
        OTHER.close();
    }

    private static RedisStandaloneConfiguration at(RedisServer server) {
        return new RedisStandaloneConfiguration("127.0.0.1", server.port());
    }

    /** Factories of an application's own, whose getters don't say where they lead. */
    static final class OfLettuce extends LettuceConnectionFactory {
        OfLettuce() {
            super(at(DATA));
        }

        @Override
        public RedisStandaloneConfiguration getStandaloneConfiguration() {
            return at(OTHER);
        }
    }

    static final class OfJedis extends JedisConnectionFactory {
        private final JedisConnectionFactory elsewhere = new JedisConnectionFactory(at(DATA));

        OfJedis() {
            super(at(OTHER));
            elsewhere.afterPropertiesSet();
            elsewhere.start();
        }

        @Override
        public RedisConnection getConnection() {
            return elsewhere.getConnection();
        }

        @Override
        public void destroy() {
            elsewhere.destroy();
            super.destroy();
        }
    }

    @Test
    void a_list_of_replicas_is_refused_by_the_class_of_its_configuration() {
        Boot.withHasp()
                .withBean(
                        "own",
                        LettuceConnectionFactory.class,
                        () -> new LettuceConnectionFactory(
                                new RedisStaticMasterReplicaConfiguration("127.0.0.1", DATA.port())))
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage("the RedisConnectionFactory 'own' has a RedisStaticMasterReplicaConfiguration,"
                                + " which Hasp can't follow to its server")
                        .extracting(HaspConfigurationException::action)
                        .asString()
                        .startsWith("Set hasp.uri=redis://"));
    }

    @Test
    void a_factory_that_is_neither_lettuces_nor_jediss_is_refused() {
        Boot.withHasp()
                .withBean("own", RedisConnectionFactory.class, () -> Mockito.mock(RedisConnectionFactory.class))
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageStartingWith("hasp.uri is not set, and the RedisConnectionFactory 'own' is a ")
                        .hasMessageContaining("it knows LettuceConnectionFactory and JedisConnectionFactory"));
    }

    @Test
    void our_connections_through_lettuce_have_the_applications_client_name() {
        LettuceClientConfiguration named =
                LettuceClientConfiguration.builder().clientName("shop").build();
        Boot.withHasp()
                .withBean("own", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(at(DATA), named))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    try (RedisConnection connection =
                            context.getBean(RedisConnectionFactory.class).getConnection()) {
                        assertThat(connection.serverCommands().getClientList())
                                .filteredOn(each -> "shop".equals(each.getName()))
                                .as("the application's own one and ours")
                                .hasSizeGreaterThanOrEqualTo(2);
                    }
                });
    }

    @Test
    void a_factory_that_leads_elsewhere_is_refused() {
        Boot.withHasp()
                .withBean("own", RedisConnectionFactory.class, OfLettuce::new)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("'own' leads to another server"));
        Boot.withHasp()
                .withBean("own", RedisConnectionFactory.class, OfJedis::new)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("'own' leads to another server"));
    }

    @Test
    void a_factory_whose_server_hides_what_it_is_is_followed() {
        try (RedisServer silent = RedisServer.start("rename-command INFO \"\"")) {
            Boot.withHasp()
                    .withBean("own", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(at(silent)))
                    .withPropertyValues("hasp.eviction=accepted")
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockClient.class));
        }
    }

    @Test
    void a_factory_of_its_own_class_whose_user_may_not_ask_is_refused() {
        for (String hiding : List.of("rename-command INFO \"\"", "user default on nopass ~* &* +@all -info")) {
            try (RedisServer silent = RedisServer.start(hiding)) {
                Boot.withHasp()
                        .withBean("own", RedisConnectionFactory.class, () -> new Silent(silent))
                        .withPropertyValues("hasp.eviction=accepted")
                        .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                                .hasMessageContaining("'own' is a Silent, a class of its own")
                                .hasMessageContaining("INFO"));
                Boot.withHasp()
                        .withBean("own", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(at(silent)))
                        .withPropertyValues("hasp.eviction=accepted")
                        .run(context -> assertThat(context).hasNotFailed());
            }
        }
    }

    static final class Silent extends LettuceConnectionFactory {
        Silent(RedisServer server) {
            super(at(server));
        }
    }

    /** As Redisson's own one, which is in a jar that is not there. */
    static class OfRedisson implements RedisConnectionFactory {
        private final LettuceConnectionFactory through;
        final RedissonClient redisson;

        OfRedisson(RedisServer server, RedissonClient redisson) {
            this.redisson = redisson;
            through = new LettuceConnectionFactory(at(server));
            through.afterPropertiesSet();
            through.start();
        }

        @Override
        public RedisConnection getConnection() {
            return through.getConnection();
        }

        @Override
        public RedisClusterConnection getClusterConnection() {
            return through.getClusterConnection();
        }

        @Override
        public RedisSentinelConnection getSentinelConnection() {
            return through.getSentinelConnection();
        }

        @Override
        public boolean getConvertPipelineAndTxResults() {
            return true;
        }

        @Override
        public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException e) {
            return null;
        }
    }

    private static RedissonClient redisson(RedisServer server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.uri()).setConnectionMinimumIdleSize(2);
        return Redisson.create(config);
    }

    @Test
    void a_redisson_client_beside_a_factory_that_leads_elsewhere_is_refused() {
        RedissonClient there = redisson(OTHER);
        RedissonClient own = redisson(OTHER);
        try {
            Boot.withHasp()
                    .withBean("redisson", RedissonClient.class, () -> there)
                    .withBean("own", RedisConnectionFactory.class, () -> new OfRedisson(DATA, own))
                    .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                            .hasMessageContaining("'own' leads to another server"));
        } finally {
            own.shutdown();
            there.shutdown();
        }
    }

    @Test
    void a_redisson_client_beside_a_factory_to_the_same_server_is_used() {
        RedissonClient client = redisson(OTHER);
        RedissonClient other = redisson(OTHER);
        try {
            for (RedissonClient ofFactory : List.of(client, other)) {
                Boot.withHasp()
                        .withBean("redisson", RedissonClient.class, () -> client, bean -> bean.setDestroyMethodName(""))
                        .withBean("own", RedisConnectionFactory.class, () -> new OfRedisson(OTHER, ofFactory))
                        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockClient.class));
            }
        } finally {
            client.shutdown();
            other.shutdown();
        }
    }
}
