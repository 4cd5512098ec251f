package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.processes.Tenant;
import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads below a client serve all callers: they inherit nothing from the one that opened it. */
@Timeout(120)
class InheritedByThreadsTest {

    @Test
    void threads_of_curator_and_zookeeper_inherit_nothing_of_the_thread_that_opens_the_client() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + server.connectString() + "/inherited";
            assertThat(new Tenant().inheritedFrom(() -> LockClient.connect(uri, ClientOptions.defaults())))
                    .isEmpty();
        }
    }
}
