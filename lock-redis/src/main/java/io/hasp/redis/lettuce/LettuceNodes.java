package io.hasp.redis.lettuce;

import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;

/** Connects to the nodes of a cluster, all on the threads of one client. */
public final class LettuceNodes implements NodeConnection.Connector {
    /** Never connected itself. */
    private final LettuceClient client;

    private LettuceNodes(LettuceClient client) {
        this.client = client;
    }

    /** Creates a connector with threads of its own. */
    public static LettuceNodes open(RedisEndpoint endpoint) {
        return new LettuceNodes(LettuceClient.of(endpoint));
    }

    /**
     * Creates a connector on the threads and with the options of the application's client, which stays open. The credentials are those of
     * the URI.
     */
    public static LettuceNodes beside(RedisClusterClient applications, RedisURI uri) {
        return new LettuceNodes(LettuceClient.beside(applications.getResources(), applications.getOptions(), uri));
    }

    @Override
    public NodeConnection connect(String host, int port) {
        return new LettuceConnection(client.at(LettuceUris.at(client.uri(), host, port)));
    }

    @Override
    public Duration commandTimeout() {
        return client.commandTimeout();
    }

    @Override
    public void close() {
        client.close();
    }
}
