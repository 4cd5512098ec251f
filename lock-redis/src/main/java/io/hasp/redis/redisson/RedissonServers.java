package io.hasp.redis.redisson;

import java.time.Duration;
import java.util.stream.Collectors;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.MasterSlaveServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SubscriptionMode;

/**
 * Where a Redisson client's scripts go, and how.
 *
 * @param words the server in words
 * @param followsMaster whether another server may become the master
 */
record RedissonServers(String words, boolean followsMaster, int retries, Duration commandTimeout) {
    private static final String ONE_SERVER_AT_A_TIME =
            ": it must be for a single server (useSingleServer), for Sentinel (useSentinelServers) or for a master with"
                    + " replicas (useMasterSlaveServers)";

    /** Throws {@link IllegalArgumentException} for a client that would ask or listen elsewhere than at one master. */
    static RedissonServers of(Config config) {
        if (config.isSingleConfig()) {
            SingleServerConfig single = config.useSingleServer();
            return of(single, single.getAddress(), false);
        }
        if (config.isClusterConfig()) {
            throw new IllegalArgumentException(
                    "the Redisson client is configured for a cluster" + ONE_SERVER_AT_A_TIME);
        }
        if (config.isSentinelConfig()) {
            SentinelServersConfig sentinels = config.useSentinelServers();
            String addresses = sentinels.getSentinelAddresses().stream()
                    .map(address -> address.substring(address.lastIndexOf('/') + 1))
                    .collect(Collectors.joining(","));
            return atMaster(
                    sentinels, "redis-sentinel://" + addresses + "?sentinelMasterId=" + sentinels.getMasterName());
        }
        MasterSlaveServersConfig master = masterWithReplicas(config);
        return atMaster(master, master.getMasterAddress());
    }

    /** There is no question for it; taking another topology than the configured one throws. */
    private static MasterSlaveServersConfig masterWithReplicas(Config config) {
        try {
            return config.useMasterSlaveServers();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "the Redisson client is configured for replicated servers" + ONE_SERVER_AT_A_TIME, e);
        }
    }

    private static RedissonServers atMaster(BaseMasterSlaveServersConfig<?> servers, String words) {
        if (servers.getSubscriptionMode() != SubscriptionMode.MASTER) {
            throw new IllegalArgumentException("the Redisson client's subscriptionMode is "
                    + servers.getSubscriptionMode()
                    + ": it must be MASTER, because the master passes over a waiter that does not listen at it");
        }
        return of(servers, words, true);
    }

    private static RedissonServers of(BaseConfig<?> servers, String words, boolean followsMaster) {
        return new RedissonServers(
                words, followsMaster, servers.getRetryAttempts(), Duration.ofMillis(servers.getTimeout()));
    }
}
