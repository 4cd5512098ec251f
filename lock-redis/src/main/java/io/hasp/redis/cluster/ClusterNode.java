package io.hasp.redis.cluster;

import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection.Subscription;
import org.jspecify.annotations.Nullable;

/** A node that has slots, or had or will have some. */
final class ClusterNode {
    final Address address;
    final NodeConnection connection;
    /** Null until it is listened to. */
    volatile @Nullable Subscription subscription;
    /** It gave no answer, or its subscription was cut off; and has not answered since. */
    volatile boolean doubted;

    ClusterNode(Address address, NodeConnection connection) {
        this.address = address;
        this.connection = connection;
    }

    boolean live() {
        Subscription heard = subscription;
        return heard != null && heard.live();
    }
}
