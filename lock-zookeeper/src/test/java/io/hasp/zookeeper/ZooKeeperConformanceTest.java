package io.hasp.zookeeper;

import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;

/** The rules over a single server. */
class ZooKeeperConformanceTest implements ZooKeeperConformance {
    private static final ZooKeeperServer SERVER = ZooKeeperServer.start(FAST_DISK);

    @Override
    public String name() {
        return "hasp-zookeeper";
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

    @AfterAll
    static void stop() {
        SERVER.close();
    }
}
