package io.hasp.zookeeper;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import org.junit.jupiter.api.AfterAll;

/** The rules over three servers in processes of their own. */
class ZooKeeperEnsembleConformanceTest implements ZooKeeperConformance {
    private static final ZooKeeperEnsemble ENSEMBLE = ZooKeeperEnsemble.start(FAST_DISK);

    @Override
    public String name() {
        return "hasp-zookeeper-ensemble";
    }

    @Override
    public String scheme() {
        return "zookeeper";
    }

    @Override
    public String folder(String lock) {
        return Servers.folder(lock);
    }

    @Override
    public Server server() {
        return ENSEMBLE;
    }

    @Override
    public String connectString() {
        return ENSEMBLE.connectString();
    }

    @Override
    public int port() {
        return ENSEMBLE.servers().get(0).port();
    }

    /** {@inheritDoc} Fewer on three servers in the quick tier, where each cycle takes two writes on three servers. */
    @Override
    public int cycles() {
        return Tier.count(3_000, 100_000);
    }

    @AfterAll
    static void stop() {
        ENSEMBLE.close();
    }
}
