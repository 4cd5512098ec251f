package io.hasp.zookeeper;

import io.hasp.conformance.rules.support.LendsServers;
import io.hasp.conformance.rules.support.RuleServers;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/**
 * The rules over a single server, on which each client is a user's Curator client on a chroot and in a namespace. Paths
 * without these are those of {@link ZooKeeperEnsembleConformanceTest}, and of chroot and namespace alone of
 * {@link PathsTest}.
 */
@LendsServers
class ZooKeeperConformanceTest implements ZooKeeperConformance {
    private static final RuleServers<ZooKeeperServer> SERVERS = new RuleServers<>(6, ZooKeeperConformanceTest::started);

    private ZooKeeperServer server = SERVERS.shared();

    /** A chroot has to exist: no client creates it. */
    private static ZooKeeperServer started() {
        ZooKeeperServer server = ZooKeeperServer.start(SHORT_TICKS);
        try (ServerAdmin servers = ServerAdmin.connect(server)) {
            servers.client.create(
                    ChrootProvider.CHROOT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            return server;
        } catch (Exception e) {
            server.close();
            throw new IllegalStateException(e);
        }
    }

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
        return server;
    }

    @Override
    public String connectString() {
        return server.connectString();
    }

    @Override
    public int port() {
        return server.port();
    }

    @BeforeEach
    void lend(TestInfo rule) throws InterruptedException {
        server = SERVERS.lend(rule);
    }

    @AfterEach
    void giveBack() {
        SERVERS.giveBack(server);
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
    }
}
