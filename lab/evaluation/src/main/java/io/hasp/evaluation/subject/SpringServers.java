package io.hasp.evaluation.subject;

import io.hasp.evaluation.servers.RedisEndpoint;
import io.hasp.redis.RedisConfig;
import java.util.LinkedHashSet;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Spring Data Redis's configuration of the servers. */
final class SpringServers {
    private SpringServers() {}

    static RedisConfiguration of(RedisEndpoint endpoint) {
        RedisConfig config = endpoint.config();
        RedisConfiguration servers = switch (endpoint.topology()) {
            case SENTINEL -> sentinels(config);
            case CLUSTER -> new RedisClusterConfiguration(config.nodes());
            case STANDALONE -> standalone(config);
        };
        if (servers instanceof RedisConfiguration.WithAuthentication signedIn) {
            endpoint.credentials().ifPresent(known -> {
                signedIn.setUsername(known.user());
                signedIn.setPassword(known.password());
            });
        }
        return servers;
    }

    private static RedisConfiguration sentinels(RedisConfig config) {
        RedisSentinelConfiguration servers = new RedisSentinelConfiguration(
                config.sentinel().orElseThrow().masterId(),
                new LinkedHashSet<>(config.sentinel().orElseThrow().addresses()));
        servers.setDatabase(config.database());
        return servers;
    }

    private static RedisConfiguration standalone(RedisConfig config) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(config.host(), config.port());
        server.setDatabase(config.database());
        return server;
    }
}
