package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The locks are at the server that the application's connection leads to, or the application does not start. */
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
}
