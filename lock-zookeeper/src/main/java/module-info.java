/**
 * Locks on ZooKeeper. The jars of ZooKeeper share packages and can't be modules, so they stay on the class path, and {@code
 * ClassPathLibraries} makes this module read it.
 */
module io.hasp.zookeeper {
    requires transitive io.hasp;
    requires static org.jspecify;

    exports io.hasp.zookeeper;

    provides io.hasp.spi.LockBackendProvider with
            io.hasp.zookeeper.ZooKeeperProvider;
}
