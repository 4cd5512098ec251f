package io.hasp.redis.cluster;

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

    /** Null until a grant has to be acknowledged; guarded by this. */
    private @Nullable Acknowledging acknowledging;

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

    boolean live() {
        Subscription heard = subscription;
        return heard != null && heard.live();
    }
}
