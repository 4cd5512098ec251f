package io.hasp.redis.cluster;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Subscription;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A node that has slots, or had or will have some. */
final class ClusterNode {
    final Address address;
    final NodeConnection connection;
    /** Null until it is listened to. */
    volatile @Nullable Subscription subscription;
    /** It gave no answer, or its subscription was cut off; and has not answered since. */
    volatile boolean doubted;

    /** Null until a grant has to be acknowledged; guarded by this, as is the one below. */
    private @Nullable Acknowledging acknowledging;

    private boolean closed;

    ClusterNode(Address address, NodeConnection connection) {
        this.address = address;
        this.connection = connection;
    }

    /** The one for all its locks. */
    synchronized Acknowledging acknowledging(int replicas, Duration within) {
        Acknowledging present = acknowledging;
        if (present == null) {
            present = connection.acknowledging(replicas, within);
            acknowledging = present;
        }
        return present;
    }

    /** Subscribes as soon as the node can be reached. Does nothing once this node is closed, since nothing would end the subscription. */
    synchronized void listenLater(String channel, ChannelListener listener) {
        if (!closed) {
            subscription = connection.subscribeLater(channel, listener);
        }
    }

    /** Ends all of it; may block. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        connection.close();
    }

    boolean live() {
        Subscription heard = subscription;
        return heard != null && heard.live();
    }
}
