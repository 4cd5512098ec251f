package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server without faults and two clients, {@code a} and {@code b}. After each test the server has no node and no watch left. */
abstract class TwoClientsFixture {
    @RegisterExtension
    public static final OneServer SERVER = new OneServer();

    /** The name of the test's lock. */
    public String lock;

    public Probe a;
    public Probe b;

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        a = open(sessionTimeout());
        b = open(sessionTimeout());
    }

    /** The session timeout of both clients. */
    String sessionTimeout() {
        return "3s";
    }

    static Probe open() {
        return open("3s");
    }

    private static Probe open(String sessionTimeout) {
        return Probe.connect("zookeeper://" + address() + "?sessionTimeout=" + sessionTimeout);
    }

    /** The address of the server. */
    static String address() {
        return SERVER.server().connectString();
    }

    @AfterEach
    void nothing_is_left() {
        a.close();
        b.close();
        await().untilAsserted(() -> {
            assertThat(SERVER.admin().watches()).isZero();
            assertThat(SERVER.admin().ephemerals()).isZero();
        });
    }
}
