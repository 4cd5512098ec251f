package io.hasp.spring.connection;

import io.hasp.spring.HaspProperties.Connection;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.hasp.zookeeper.ZooKeeperLocks;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;

/** A {@link CuratorFramework} bean, with its session. */
final class CuratorSource implements ConnectionSource {
    private final BeansByType beans;

    CuratorSource(BeansByType beans) {
        this.beans = beans;
    }

    @Override
    public Connection kind() {
        return Connection.CURATOR;
    }

    @Override
    public Optional<FoundConnection> find() {
        return beans.one(CuratorFramework.class)
                .map(found -> new FoundConnection(
                        "ZooKeeper by the CuratorFramework '" + found.name() + "'",
                        ZooKeeperBackend.on(found.bean(), ZooKeeperLocks.defaults()),
                        List.of(found.name())));
    }
}
