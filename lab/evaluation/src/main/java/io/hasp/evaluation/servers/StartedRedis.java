package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Redis servers that were started together.
 *
 * @param address the authority of a URI: where clients find them
 * @param masters that serve the locks
 * @param all the processes
 * @param topology how they are arranged
 */
record StartedRedis(String address, List<RedisServer> masters, List<RedisServer> all, RedisTopology topology)
        implements AutoCloseable {
    /** Redis's own defaults: a busy machine must not look like a dead master. */
    private static final Duration DOWN_AFTER = Duration.ofSeconds(30);

    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(15);

    static StartedRedis start(RedisTopology topology) {
        return switch (topology) {
            case STANDALONE -> standalone(RedisServer.start());
            case SENTINEL -> of(SentinelServers.start(DOWN_AFTER));
            case CLUSTER -> of(ClusterServers.start(true, NODE_TIMEOUT));
        };
    }

    private static StartedRedis standalone(RedisServer server) {
        return new StartedRedis(
                "127.0.0.1:" + server.port(), List.of(server), List.of(server), RedisTopology.STANDALONE);
    }

    static StartedRedis of(SentinelServers servers) {
        List<RedisServer> all = Stream.concat(servers.sentinels().stream(), servers.servers().stream())
                .toList();
        return new StartedRedis(servers.addresses(), List.of(servers.master()), all, RedisTopology.SENTINEL);
    }

    static StartedRedis of(ClusterServers servers) {
        return new StartedRedis(servers.addresses(), servers.masters(), servers.servers(), RedisTopology.CLUSTER);
    }

    String uri() {
        return uri(address);
    }

    /** With another address, such as that of a proxy. */
    String uri(String authority) {
        String scope = "?keyPrefix=" + Environment.SCOPE;
        return switch (topology) {
            case STANDALONE -> "redis://" + authority + scope;
            case SENTINEL -> "redis-sentinel://" + authority + scope + "&sentinelMasterId=" + SentinelServers.MASTER_ID;
            case CLUSTER -> "redis-cluster://" + authority + scope;
        };
    }

    @Override
    public void close() {
        all.forEach(RedisServer::close);
    }
}
