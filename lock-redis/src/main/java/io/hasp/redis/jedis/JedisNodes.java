package io.hasp.redis.jedis;

import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisEndpoint;
import java.time.Duration;

/** Connects to the nodes of a cluster, with the credentials and options of an endpoint. */
public record JedisNodes(RedisEndpoint endpoint) implements NodeConnection.Connector {
    @Override
    public NodeConnection connect(String host, int port) {
        return JedisConnection.toNode(endpoint.at(host, port));
    }

    @Override
    public Duration commandTimeout() {
        return endpoint.commandTimeout();
    }

    @Override
    public void close() {}
}
