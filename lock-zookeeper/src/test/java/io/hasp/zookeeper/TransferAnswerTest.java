package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The answer of a transfer's release half when another request comes in between or the answer is lost. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class TransferAnswerTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;
    private FaultProxy proxy;
    private Probe probe;

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        proxy = FaultProxy.before(SERVER.server().port());
        probe = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=20s&commandTimeout=20s");
    }

    @AfterEach
    void close() {
        probe.close();
        proxy.close();
    }

    private void passedOn(Grant grant) {
        await().untilAsserted(() -> assertThat(SERVER.admin().children(lock))
                .hasSize(1)
                .noneMatch(child -> child.contains(grant.claim().holder().value())));
    }

    @Test
    void zk8_a_transfer_whose_answer_was_lost_released_the_lock() throws Exception {
        Grant grant = probe.holder(lock).granted();
        Probe.Holder second = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        Transfer transfer = second.transferFrom(grant);
        passedOn(grant);

        proxy.cut(ConnectionEnd.RST);
        proxy.heal();

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.RELEASED);
        assertThat(second.waited().token()).isGreaterThan(grant.token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    /** The removal that follows the lost answer is lost as well, with the connections that are refused. */
    @Test
    void zk8_a_transfer_whose_answer_got_lost_tells_that_the_lock_was_held_however_long_it_takes_to_reconnect()
            throws Exception {
        Grant grant = probe.holder(lock).granted();
        Probe.Holder second = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        Transfer transfer = second.transferFrom(grant);
        passedOn(grant);

        proxy.refuse();
        proxy.cut(ConnectionEnd.RST);
        await().until(() -> proxy.refused() > 1);
        proxy.heal();

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.RELEASED);
        assertThat(second.waited().token()).isGreaterThan(grant.token());
    }

    @Test
    void zk8_a_release_that_is_repeated_while_a_transfer_is_unanswered_tells_that_the_lock_was_held() throws Exception {
        Grant grant = probe.holder(lock).granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        Transfer transfer = probe.holder(lock).transferFrom(grant);
        passedOn(grant);
        CompletionStage<Released> repeated = probe.backend.release(grant.claim());

        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        assertThat(List.of(Probe.await(transfer.released()), Probe.await(repeated)))
                .containsOnly(Released.RELEASED);
    }

    @Test
    void zk8_a_transfer_of_a_lock_whose_node_an_administrator_deleted_tells_that_it_was_lost() throws Exception {
        Grant grant = probe.holder(lock).granted();
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));
        Probe.Holder second = probe.holder(lock);

        Transfer transfer = second.transferFrom(grant);

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.NOT_HELD);
        assertThat(second.waited().token()).isGreaterThan(grant.token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }
}
