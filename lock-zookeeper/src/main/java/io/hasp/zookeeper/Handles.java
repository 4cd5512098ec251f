package io.hasp.zookeeper;

import io.hasp.spi.Timing;
import java.util.OptionalLong;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Makes the handles of one Curator client and remembers when: a handle's session is younger than the handle, so its first
 * deadline can be counted from there. Thread-safe.
 */
final class Handles implements ZookeeperFactory {
    private final ZookeeperFactory factory = new DefaultZookeeperFactory();
    private final Timing timing;
    private @Nullable ZooKeeper latest;
    private long latestMadeAt;

    Handles(Timing timing) {
        this.timing = timing;
    }

    /** A moment before the handle was made; empty if it is not the latest from here. */
    synchronized OptionalLong madeAt(ZooKeeper handle) {
        return handle == latest ? OptionalLong.of(latestMadeAt) : OptionalLong.empty();
    }

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionTimeout, Watcher watcher, boolean readOnly)
            throws Exception {
        long before = timing.nanoTime();
        return made(before, factory.newZooKeeper(servers, sessionTimeout, watcher, readOnly));
    }

    @Override
    public ZooKeeper newZooKeeper(
            String servers, int sessionTimeout, Watcher watcher, boolean readOnly, @Nullable ZKClientConfig config)
            throws Exception {
        long before = timing.nanoTime();
        return made(before, factory.newZooKeeper(servers, sessionTimeout, watcher, readOnly, config));
    }

    private synchronized ZooKeeper made(long before, ZooKeeper handle) {
        latest = handle;
        latestMadeAt = before;
        return handle;
    }
}
