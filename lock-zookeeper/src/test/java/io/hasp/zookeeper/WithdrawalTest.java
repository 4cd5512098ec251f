package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One node for each holder, in any order of requests; and none for a holder that was withdrawn or failed. */
@InTier(Tier.STANDARD)
class WithdrawalTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;
    private FaultProxy proxy;
    private Probe probe;

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
    void close() {
        probe.close();
        proxy.close();
    }

    private List<String> nodes() throws Exception {
        return SERVER.admin().children(lock).stream()
                .filter(child -> child.startsWith("x-"))
                .toList();
    }

    private void nothingIsLeft() {
        await().untilAsserted(() -> assertThat(nodes()).isEmpty());
        assertThat(probe.holder(lock).waited().token()).isPositive();
    }

    @Test
    void zk3_an_attempt_that_a_withdrawal_has_overtaken_makes_no_node() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);

        assertThat(holder.attempt()).isInstanceOf(Attempt.Gone.class);

        assertThat(nodes()).isEmpty();
    }

    @Test
    void fa5_an_attempt_whose_answer_is_lost_after_a_withdrawal_has_overtaken_it_leaves_no_node() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        holder.release();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = holder.start();
        await().until(() -> attempt.toCompletableFuture().isDone() || !nodes().isEmpty());

        proxy.cut(ConnectionEnd.RST);
        proxy.heal();

        await().until(() -> attempt.toCompletableFuture().isDone());
        await().ignoreExceptionsInstanceOf(BackendFailure.class)
                .until(() -> probe.trier("other").attempt() != null);
        nothingIsLeft();
    }

    @Test
    void zk3_a_withdrawal_that_overtakes_the_creation_after_a_release_under_way_leaves_no_node() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Grant grant = first.granted();
        Probe.Holder second = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        probe.backend.release(grant.claim());
        CompletionStage<Attempt> transfer = second.transferFrom(grant).attempt();
        assertThat(Probe.await(probe.backend.release(second.claim))).isEqualTo(Released.NOT_HELD);

        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        assertThat(Probe.await(transfer)).isInstanceOf(Attempt.Gone.class);
        assertThat(nodes()).isEmpty();
    }

    @Test
    void zk3_a_transfer_to_a_holder_that_waits_already_makes_no_second_node() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        assertThat(second.attempt()).isInstanceOf(Attempt.Busy.class);

        Probe.await(second.transferFrom(grant).attempt());

        assertThat(second.waited().token()).isGreaterThan(grant.token());
        assertThat(nodes()).hasSize(1);
        assertThat(second.release()).isEqualTo(Released.RELEASED);
        nothingIsLeft();
    }

    @Test
    void zk3_a_transfer_to_a_holder_whose_creation_is_under_way_makes_no_second_node() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        CompletionStage<Attempt> attempt = second.start();
        await().untilAsserted(() -> assertThat(nodes()).hasSize(2));
        CompletionStage<Attempt> transfer = second.transferFrom(grant).attempt();

        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        Probe.await(attempt);
        Probe.await(transfer);
        assertThat(second.waited().token()).isGreaterThan(grant.token());
        assertThat(nodes()).hasSize(1);
        second.release();
        nothingIsLeft();
    }

    @Test
    void zk3_a_transfer_to_a_holder_the_answer_to_whose_creation_was_lost_makes_no_second_node() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        first.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = second.start();
        await().untilAsserted(() -> assertThat(nodes()).hasSize(2));
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();
        assertThatExceptionOfType(BackendFailure.class).isThrownBy(() -> Probe.await(attempt));
        Grant grant = first.granted();

        await().ignoreExceptions()
                .until(() -> Probe.await(second.transferFrom(grant).attempt()) != null);

        assertThat(second.waited().token()).isGreaterThan(grant.token());
        assertThat(nodes()).hasSize(1);
        second.release();
        nothingIsLeft();
    }

    @Test
    void fe7_a_token_that_is_out_of_range_is_a_failure_that_leaves_no_node() throws Exception {
        SERVER.admin().create(lock, "floor-" + (Grant.TOKEN_LIMIT - 1) + "-0000000000");
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> probe.holder(lock).attempt())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE));
        }

        await().untilAsserted(() -> assertThat(nodes()).isEmpty());
        SERVER.admin().delete(lock, "floor-" + (Grant.TOKEN_LIMIT - 1) + "-0000000000");
        nothingIsLeft();
    }

    @Test
    void foreign_children_that_look_like_floors_or_holders_are_ignored() throws Exception {
        List<String> foreign = List.of(
                "floor-" + Grant.TOKEN_LIMIT + "-0000000000",
                "floor-" + Long.MAX_VALUE + "-0000000000",
                "x--0000000000");
        for (String child : foreign) {
            SERVER.admin().create(lock, child);
        }

        Grant grant = probe.holder(lock).granted();

        assertThat(grant.token()).isLessThan(1L << 40);
        Probe.await(probe.backend.release(grant.claim()));
        Probe.await(probe.backend.tokenFloor().orElseThrow().raise(new LockName(lock), 1L << 40));
        assertThat(SERVER.admin().children(lock)).containsAll(foreign);
        assertThat(probe.holder(lock).granted().token()).isGreaterThan(1L << 40);
        for (String child : foreign) {
            SERVER.admin().delete(lock, child);
        }
    }
}
