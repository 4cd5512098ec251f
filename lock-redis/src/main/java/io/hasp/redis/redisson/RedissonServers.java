package io.hasp.redis.redisson;

import java.time.Duration;
import java.util.stream.Collectors;
import org.redisson.config.BaseConfig;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.MasterSlaveServersConfig;
import org.redisson.config.ReplicatedServersConfig;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.config.SubscriptionMode;

/**
 * The servers of a Redisson client.
 *
 * @param words description of the server, without credentials
 * @param followsMaster whether another server may become the master
 */
record RedissonServers(String words, boolean followsMaster, Duration commandTimeout) {

    /** Throws {@link IllegalArgumentException} for a client that would ask or listen elsewhere than at one master. */
    static RedissonServers of(Config config) {
        if (config.isSingleConfig()) {
            SingleServerConfig single = config.useSingleServer();
            return of(single, withoutCredentials(single.getAddress()), false);
        }
        if (config.isSentinelConfig()) {
            SentinelServersConfig sentinels = config.useSentinelServers();
            String addresses = sentinels.getSentinelAddresses().stream()
                    .map(RedissonServers::withoutCredentials)
                    .map(address -> address.substring(address.lastIndexOf('/') + 1))
                    .collect(Collectors.joining(","));
            return atMaster(
                    sentinels, "redis-sentinel://" + addresses + "?sentinelMasterId=" + sentinels.getMasterName());
        }
        return withReplicas(config);
    }

    /** There is no question for it; taking another topology than the configured one throws. */
    private static RedissonServers withReplicas(Config config) {
        try {
            MasterSlaveServersConfig master = config.useMasterSlaveServers();
            return atMaster(master, withoutCredentials(master.getMasterAddress()));
        } catch (IllegalStateException e) {
            ReplicatedServersConfig replicated = config.useReplicatedServers();
            String addresses = replicated.getNodeAddresses().stream()
                    .map(RedissonServers::withoutCredentials)
                    .collect(Collectors.joining(","));
            return atMaster(replicated, addresses);
        }
    }

    private static String withoutCredentials(String address) {
        return address.replaceFirst("://.*@", "://");
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
        return new RedissonServers(words, followsMaster, Duration.ofMillis(servers.getTimeout()));
    }
}
