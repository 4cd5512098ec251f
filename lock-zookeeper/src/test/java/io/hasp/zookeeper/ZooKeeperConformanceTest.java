package io.hasp.zookeeper;

import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The rules over a single server, on which each client is a user's Curator client on a chroot and in a namespace. Paths
 * without these are those of {@link ZooKeeperEnsembleConformanceTest}, and of chroot and namespace alone of
 * {@link PathsTest}.
 */
class ZooKeeperConformanceTest implements ZooKeeperConformance {
    private static final ZooKeeperServer SERVER = ZooKeeperServer.start(FAST_DISK);

    @Override
    public String name() {
        return "hasp-zookeeper";
    }

    @Override
    public String scheme() {
        return ChrootProvider.SCHEME;
    }

    @Override
    public String folder(String lock) {
        return ChrootProvider.CHROOT + "/" + ChrootProvider.NAMESPACE + ServerAdmin.folder(lock);
    }

    @Override
    public Server server() {
        return SERVER;
    }

    @Override
    public String connectString() {
        return SERVER.connectString();
    }

    @Override
    public int port() {
        return SERVER.port();
    }

    /** A chroot has to exist: no client creates it. */
    @BeforeAll
    static void makeChroot() throws Exception {
        try (ServerAdmin servers = ServerAdmin.connect(SERVER)) {
            servers.client.create(
                    ChrootProvider.CHROOT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }
}
