package io.hasp.zookeeper;

import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The rules over three servers in processes of their own. */
class EnsembleConformanceTest implements ZooKeeperConformance {
    private static final ZooKeeperEnsemble ENSEMBLE = ZooKeeperEnsemble.start();

    @Override
    public String name() {
        return "hasp-zookeeper-ensemble";
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

    /** Open: with all servers killed in the middle of a wait of 30 units, the wait ends empty instead of with the outage. */
    @Override
    @Test
    public void fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception() {
        throw new TestAbortedException(
                "OPEN BUG: reported as 'another client holds the lock' when all three are killed");
    }

    @Override
    public Set<String> skips() {
        Set<String> skips = new HashSet<>(ZooKeeperConformance.super.skips());
        skips.add("fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception");
        return skips;
    }

    @AfterAll
    static void stop() {
        ENSEMBLE.close();
    }
}
