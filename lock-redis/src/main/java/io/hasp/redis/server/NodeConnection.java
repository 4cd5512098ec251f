package io.hasp.redis.server;

import io.hasp.spi.RequestCombiner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A connection to one node of a cluster. Thread-safe. */
public interface NodeConnection extends RedisConnection {

    /** As {@link #evaluate}, for a node to which another one has sent us for this one call ({@code ASKING}). */
    CompletionStage<String> evaluateAsking(Command command, String script, List<String> keys, List<String> arguments);

    /** As {@link #subscribe}, but returns at once; the first confirmation calls {@code onReturn}. */
    Subscription subscribeLater(String channel, ChannelListener listener);

    /** Closes all sockets, and fails all calls that wait for a reply on them. */
    void cut();

    /** Connects to the nodes of one cluster, in the same way to each. */
    interface Connector extends AutoCloseable {
        /** A connection that does nothing yet. */
        NodeConnection connect(String host, int port);

        /** As {@link RedisConnection#combiner}, for the calls to all nodes. */
        default Optional<RequestCombiner> combiner() {
            return Optional.of(Runnable::run);
        }

        /** The time limit for one reply. */
        Duration commandTimeout();

        /** Called when all connections are closed. */
        @Override
        void close();
    }
}
