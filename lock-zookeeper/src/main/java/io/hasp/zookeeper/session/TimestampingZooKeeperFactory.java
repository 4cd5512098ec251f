package io.hasp.zookeeper.session;

import io.hasp.spi.ClientThreads;
import io.hasp.spi.Timing;
import java.util.OptionalLong;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Creates the ZooKeeper handles of one Curator client and stores the moment before each creation. A session is younger than its handle, so
 * its first deadline can be counted from that moment. A handle starts two threads, which inherit nothing of the calling thread. It can
 * leave its connection, see {@link Session#leaveConnection}. Thread-safe.
 */
public final class TimestampingZooKeeperFactory implements ZookeeperFactory {
    private final Timing timing;
    private @Nullable ZooKeeper latest;
    private long latestCreatedAt;

    public TimestampingZooKeeperFactory(Timing timing) {
        this.timing = timing;
    }

    /** A moment before the handle was created; empty if it is not the latest of this factory. */
    public synchronized OptionalLong createdAt(ZooKeeper handle) {
        return handle == latest ? OptionalLong.of(latestCreatedAt) : OptionalLong.empty();
    }

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionTimeout, Watcher watcher, boolean readOnly)
            throws Exception {
        long before = timing.nanoTime();
        return created(
                before,
                ClientThreads.callElsewhere(() -> new ZooKeeper(
                        servers, sessionTimeout, watcher, readOnly, new ReconnectingHostProvider(servers))));
    }

    @Override
    public ZooKeeper newZooKeeper(
            String servers, int sessionTimeout, Watcher watcher, boolean readOnly, @Nullable ZKClientConfig config)
            throws Exception {
        long before = timing.nanoTime();
        return created(
                before,
                ClientThreads.callElsewhere(() -> new ZooKeeper(
                        servers, sessionTimeout, watcher, readOnly, new ReconnectingHostProvider(servers), config)));
    }

    private synchronized ZooKeeper created(long before, ZooKeeper handle) {
        latest = handle;
        latestCreatedAt = before;
        return handle;
    }
}
