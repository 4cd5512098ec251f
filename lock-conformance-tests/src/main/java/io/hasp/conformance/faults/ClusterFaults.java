package io.hasp.conformance.faults;

import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Faults of a Redis cluster. The cluster's nodes count as one server; each lock is looked up at its master. */
public final class ClusterFaults implements Faults {
    private final ClusterServers cluster;
    private final UnaryOperator<String> keyOf;
    private final UnaryOperator<String> queueOf;

    /**
     * Creates the faults of one cluster.
     *
     * @param cluster the servers
     * @param keyOf maps a lock's name to its key
     * @param queueOf maps a lock's name to the sorted set of its waiters
     */
    public ClusterFaults(ClusterServers cluster, UnaryOperator<String> keyOf, UnaryOperator<String> queueOf) {
        this.cluster = cluster;
        this.keyOf = keyOf;
        this.queueOf = queueOf;
    }

    private RedisFaults at(RedisServer server) {
        return new RedisFaults(server, keyOf, queueOf);
    }

    private RedisFaults of(String lock) {
        return at(cluster.masterOf(keyOf.apply(lock)));
    }

    private List<RedisFaults> masters() {
        return cluster.masters().stream().map(this::at).toList();
    }

    @Override
    public Server server() {
        return cluster.asOne();
    }

    @Override
    public void deleteLock(String lock) {
        of(lock).deleteLock(lock);
    }

    @Override
    public void loseNotifications() {
        masters().forEach(RedisFaults::loseNotifications);
    }

    @Override
    public int present(String lock) throws Exception {
        return of(lock).present(lock);
    }

    /** {@inheritDoc} Here: commands, those inside scripts included. */
    @Override
    public long received() {
        return masters().stream().mapToLong(RedisFaults::received).sum();
    }

    /** {@inheritDoc} Here: keys. */
    @Override
    public long kept() {
        return masters().stream().mapToLong(RedisFaults::kept).sum();
    }

    @Override
    public HeldRequests holdWrites(Duration time) throws Exception {
        List<HeldRequests> held = new ArrayList<>();
        for (RedisFaults master : masters()) {
            held.add(master.holdWrites(time));
        }
        return () -> {
            int waiting = 0;
            for (HeldRequests requests : held) {
                waiting += requests.waiting();
            }
            return waiting;
        };
    }
}
