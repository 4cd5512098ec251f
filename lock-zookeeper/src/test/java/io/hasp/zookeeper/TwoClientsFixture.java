package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.ZooKeeperServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A server without faults and two clients, {@code a} and {@code b}. After each test the server has no node and no watch left. */
abstract class TwoClientsFixture {
    private static ZooKeeperServer server;
    static ServerAdmin servers;

    /** The name of the test's lock. */
    String lock;

    Probe a;
    Probe b;

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
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        a = open();
        b = open();
    }

    static Probe open() {
        return Probe.connect("zookeeper://" + address() + "?sessionTimeout=3s");
    }

    /** Where the server listens. */
    static String address() {
        return server.connectString();
    }

    @AfterEach
    void nothing_is_left() {
        a.close();
        b.close();
        await().untilAsserted(() -> {
            assertThat(servers.watches()).isZero();
            assertThat(servers.ephemerals()).isZero();
        });
    }
}
