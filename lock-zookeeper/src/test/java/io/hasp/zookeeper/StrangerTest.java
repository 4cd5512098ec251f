package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

/** Another user of the servers, without credentials. */
class StrangerTest {
    @Test
    void fa12_a_stranger_can_not_delete_the_node_of_a_client_with_credentials() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin stranger = ServerAdmin.connect(server);
                Probe probe = Probe.connect("zookeeper://user:secret@" + server.connectString())) {
            Probe.Holder holder = probe.holder("mine");
            Grant grant = holder.granted();

            assertThatExceptionOfType(KeeperException.NoAuthException.class)
                    .isThrownBy(() -> stranger.delete("mine", holder.node()));

            assertThat(probe.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        }
    }
}
