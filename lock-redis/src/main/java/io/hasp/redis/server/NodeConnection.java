package io.hasp.redis.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What a cluster needs of the connection to one of its nodes besides. Thread-safe. */
public interface NodeConnection extends RedisConnection {

    /** As {@link #evaluate}, for a node to which another one has sent us for this one call ({@code ASKING}). */
    CompletionStage<String> evaluateAsking(Command command, String script, List<String> keys, List<String> arguments);

    /** As {@link #subscribe}, but returns at once; the listener hears of the first confirmation as of a return. */
    Subscription subscribeLater(String channel, ChannelListener listener);

    /** Ends all sockets, and nobody waits for a reply on them any more. */
    void cut();

    /** Connects to the nodes of one cluster, in the same way to each. */
    interface Connector extends AutoCloseable {
        /** A connection that does nothing yet. */
        NodeConnection connect(String host, int port);

        /** How long to wait for one reply. */
        Duration commandTimeout();

        /** Called when all connections are closed. */
        @Override
        void close();
    }
}
