package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.spi.BackendFailure;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One client that reaches its server through a fault proxy. After each test the server has no node and no watch left. */
public abstract class ProxiedClientFixture {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    /** The name of the test's lock. */
    public String lock;

    public FaultProxy proxy;
    Probe probe;

    @BeforeEach
    void open(TestInfo test) throws Exception {
        lock = test.getTestMethod().orElseThrow().getName();
        proxy = FaultProxy.before(SERVER.server().port());
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
            assertThat(SERVER.admin().watches()).isZero();
            assertThat(SERVER.admin().ephemerals()).isZero();
        });
    }

    /** The address of the server itself. */
    public static String address() {
        return SERVER.server().connectString();
    }

    /** Ends the connection; the next one works. */
    void cut() {
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();
    }

    /** Fails unless the request's outcome is unknown: the SERVER.server() may have applied it. */
    static void unknown(CompletionStage<?> stage) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> Probe.await(stage))
                .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));
    }

    void awaitNodes(int count) {
        await().untilAsserted(() -> assertThat(SERVER.admin().children(lock)).hasSize(count));
    }
}
