package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection that carries nothing any more, without a sign at either end. New connections work. */
@InTier(Tier.STANDARD)
class HalfOpenConnectionTest {
    private static final Duration SESSION = Duration.ofSeconds(12);

    private final List<FaultProxy> proxies = new ArrayList<>();

    @AfterEach
    void closeProxies() {
        proxies.forEach(FaultProxy::close);
    }

    private String before(List<ZooKeeperServer> servers) {
        servers.forEach(server -> proxies.add(FaultProxy.before(server.port())));
        return proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
    }

    private List<ProxiedConnection> open() {
        return proxies.stream()
                .flatMap(proxy -> proxy.connections().stream())
                .filter(ProxiedConnection::open)
                .toList();
    }

    private static void silence(List<ProxiedConnection> connections, TrafficPolicy policy) {
        for (ProxiedConnection connection : connections) {
            for (Direction direction : Direction.values()) {
                connection.set(direction, policy);
            }
        }
    }

    private static LockClient connect(String addresses) {
        return LockClient.connect(URI.create("zookeeper://" + addresses + "?sessionTimeout=" + SESSION.toSeconds()
                + "s&commandTimeout=2s&connectionTimeout=20s"));
    }

    private void outlivesItsConnection(String addresses) throws Exception {
        try (LockClient client = connect(addresses)) {
            Lease lease = client.lock("kept").acquire();
            List<LeaseState> states = new CopyOnWriteArrayList<>();
            lease.onChange(Runnable::run, states::add);
            // Not a wait for something to happen: the deadline of a new session is farther away than that of an old
            // one.
            TimeUnit.MILLISECONDS.sleep(SESSION.toMillis() * 2 / 3);
            List<ProxiedConnection> silent = open();

            states.clear();
            silence(silent, TrafficPolicy.DROP);

            await().atMost(SESSION.multipliedBy(2)).until(() -> silent.stream().noneMatch(ProxiedConnection::open));
            await().atMost(SESSION).until(() -> !states.isEmpty() && lease.state() != LeaseState.SUSPECT);
            assertThat(states).containsExactly(LeaseState.SUSPECT, LeaseState.HELD);
            lease.release();
        }
    }

    @Test
    void a_lease_outlives_the_connection_to_a_single_server() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            outlivesItsConnection(before(List.of(server)));
        }
    }

    @Test
    void a_lease_outlives_the_connection_to_one_of_several_servers() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            outlivesItsConnection(before(ensemble.servers()));
        }
    }

    @Test
    void the_connection_of_an_application_is_left_alone() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                CuratorFramework curator = CuratorFrameworkFactory.newClient(
                        before(List.of(server)), (int) SESSION.toMillis(), 5_000, new RetryOneTime(100))) {
            curator.start();
            await().until(curator.getZookeeperClient()::isConnected);
            try (LockClient client = LockClient.over(
                    ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), ClientOptions.defaults())) {
                Lease lease = client.lock("lent").acquire();
                List<ProxiedConnection> silent = open();

                silence(silent, TrafficPolicy.HOLD);
                // Not a wait for something to happen: shorter than two thirds of the timeout, after which ZooKeeper's
                // client leaves it.
                TimeUnit.MILLISECONDS.sleep(SESSION.toMillis() / 2);
                silence(silent, TrafficPolicy.PASS);

                await().during(Duration.ofSeconds(1))
                        .until(() -> silent.stream().allMatch(ProxiedConnection::open));
                lease.release();
            }
        }
    }
}
