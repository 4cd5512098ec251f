package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** One client that reaches its server through a fault proxy. After each test the server has no node and no watch left. */
abstract class ProxiedClientFixture {
    private static ZooKeeperServer server;
    static ServerAdmin servers;

    /** The name of the test's lock. */
    String lock;

    FaultProxy proxy;
    Probe probe;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        servers = ServerAdmin.connect(server);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        server.close();
    }

    @BeforeEach
    void open(TestInfo test) throws Exception {
        lock = test.getTestMethod().orElseThrow().getName();
        proxy = FaultProxy.before(server.port());
        probe = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=10s&commandTimeout=1500ms");
        Probe.Holder warm = probe.holder(lock);
        warm.granted();
        warm.release();
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        probe.close();
        proxy.close();
        await().untilAsserted(() -> {
            assertThat(servers.watches()).isZero();
            assertThat(servers.ephemerals()).isZero();
        });
    }

    /** Where the server itself listens. */
    static String address() {
        return server.connectString();
    }

    /** Ends the connection; the next one works. */
    void cut() {
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();
    }

    /** Fails unless the request's outcome is unknown: the server may have applied it. */
    static void unknown(CompletionStage<?> stage) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> Probe.await(stage))
                .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));
    }

    void awaitNodes(int count) {
        await().untilAsserted(() -> assertThat(servers.children(lock)).hasSize(count));
    }
}
