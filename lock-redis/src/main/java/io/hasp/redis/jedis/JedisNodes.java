package io.hasp.redis.jedis;

import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.RequestCombiner;
import java.time.Duration;
import java.util.Optional;

/** Connects to the nodes of a cluster, with the credentials and options of an endpoint. */
public record JedisNodes(RedisEndpoint endpoint) implements NodeConnection.Connector {
    @Override
    public NodeConnection connect(String host, int port) {
        return JedisConnection.toNode(endpoint.at(host, port));
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        return JedisConnection.COMBINER;
    }

    @Override
    public Duration commandTimeout() {
        return endpoint.commandTimeout();
    }

    @Override
    public void close() {}
}
