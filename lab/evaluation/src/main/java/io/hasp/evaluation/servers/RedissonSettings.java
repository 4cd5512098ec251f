package io.hasp.evaluation.servers;

import io.hasp.redis.RedisConfig;
import io.hasp.redis.SentinelConfig;
import java.time.Duration;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;

/**
 * Redisson's configuration for each kind of servers, as its documentation shows it: with its defaults, unless a client
 * serves a single thread. If Redisson is configured with replicas, it waits for them after each acquisition.
 */
final class RedissonSettings {
    private static final int FEW = 2;

    private RedissonSettings() {}

    static Config of(RedisEndpoint endpoint, Duration watchdog, Duration commandTimeout, boolean oneThread) {
        Config redisson = new Config();
        redisson.setLockWatchdogTimeout(watchdog.toMillis());
        endpoint.credentials()
                .ifPresent(known -> redisson.setUsername(known.user()).setPassword(known.password()));
        if (oneThread) {
            redisson.setThreads(FEW).setNettyThreads(FEW);
        }
        BaseConfig<?> servers = servers(redisson, endpoint, oneThread);
        if (!commandTimeout.isZero()) {
            servers.setTimeout(Math.toIntExact(commandTimeout.toMillis()));
        }
        return redisson;
    }

    private static BaseConfig<?> servers(Config redisson, RedisEndpoint endpoint, boolean oneThread) {
        RedisConfig config = endpoint.config();
        if (config.sentinel().isPresent()) {
            SentinelConfig sentinel = config.sentinel().get();
            var sentinels = redisson.useSentinelServers()
                    .setMasterName(sentinel.masterId())
                    .setDatabase(config.database());
            sentinel.addresses().forEach(address -> sentinels.addSentinelAddress(url(address)));
            return fewConnections(sentinels, oneThread);
        }
        if (!config.nodes().isEmpty()) {
            var cluster = redisson.useClusterServers();
            config.nodes().forEach(node -> cluster.addNodeAddress(url(node)));
            return fewConnections(cluster, oneThread);
        }
        String address = url(config.host() + ":" + config.port());
        if (!endpoint.replica().isEmpty()) {
            return fewConnections(
                    redisson.useMasterSlaveServers()
                            .setMasterAddress(address)
                            .addSlaveAddress(url(endpoint.replica()))
                            .setDatabase(config.database()),
                    oneThread);
        }
        var server = redisson.useSingleServer().setAddress(address).setDatabase(config.database());
        if (oneThread) {
            server.setConnectionMinimumIdleSize(1).setConnectionPoolSize(FEW);
        }
        return server;
    }

    private static BaseConfig<?> fewConnections(BaseMasterSlaveServersConfig<?> servers, boolean oneThread) {
        if (oneThread) {
            servers.setMasterConnectionMinimumIdleSize(1);
            servers.setMasterConnectionPoolSize(FEW);
            servers.setSlaveConnectionMinimumIdleSize(1);
            servers.setSlaveConnectionPoolSize(FEW);
        }
        return servers;
    }

    private static String url(String address) {
        return "redis://" + address;
    }
}
