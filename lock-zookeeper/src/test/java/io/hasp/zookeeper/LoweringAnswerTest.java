package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lowering whose request or answer is lost: the node has one of two paths until the next answer decides. */
@InTier(Tier.STANDARD)
class LoweringAnswerTest extends ProxiedClientFixture {
    private Probe.Holder holder;
    private Grant grant;

    @BeforeEach
    void hold() {
        holder = probe.holder(lock, new Share(5, 5));
        grant = holder.granted();
    }

    @Test
    void a_lowering_whose_answer_is_lost_is_repeated_and_found_done() throws Exception {
        answerLost(3);

        renewed(3);

        assertThat(SERVER.admin().children(lock)).hasSize(1);
        assertThat(holder.granted().token()).isEqualTo(grant.token());
        assertThat(holder.signals).doesNotContain(Signal.LOST);
    }

    @Test
    void a_lowering_that_is_lost_itself_is_repeated() throws Exception {
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(lower(3));
        cut();
        assertThat(weight()).isEqualTo(5);

        renewed(3);

        assertThat(weight()).isEqualTo(3);
    }

    @Test
    void a_lower_weight_than_that_of_the_lost_answer_is_reached() throws Exception {
        answerLost(3);

        renewed(2);

        assertThat(weight()).isEqualTo(2);
        assertThat(holder.granted().token()).isEqualTo(grant.token());
    }

    @Test
    void a_renewal_with_the_old_weight_does_not_undo_a_lowering_whose_answer_is_lost() throws Exception {
        answerLost(3);

        renewed(5);

        assertThat(weight()).isEqualTo(3);
    }

    /** Only the check of the old path is refused: it says nothing as long as the lowering is unanswered. */
    @Test
    void the_heartbeat_does_not_take_a_node_for_gone_whose_lowering_is_unanswered() throws Exception {
        answerLost(3);

        holder.awaitSignal(Signal.RESTORED);
        Probe.Holder other = probe.holder(lock, new Share(1, 5));
        await().ignoreExceptionsInstanceOf(BackendFailure.class)
                .until(() -> probe.renew(List.of(other.granted())).get(0) instanceof Renewal.Renewed);

        assertThat(holder.signals).doesNotContain(Signal.LOST);
        renewed(3);
    }

    @Test
    void a_release_after_a_lowering_whose_answer_is_lost_leaves_no_node() {
        answerLost(3);

        await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> holder.release() != null);

        awaitNodes(0);
    }

    @Test
    void a_release_after_a_lowering_that_is_lost_itself_leaves_no_node() {
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(lower(3));
        cut();

        await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> holder.release() != null);

        awaitNodes(0);
    }

    @Test
    void a_release_while_a_lowering_is_under_way_leaves_no_node() throws Exception {
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        CompletionStage<List<Renewal>> lowering = lower(3);
        CompletionStage<Released> released = probe.backend.release(grant.claim());
        await().until(() -> weight() == 3);

        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        assertThat(Probe.await(lowering)).hasSize(1);
        assertThat(released.toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(Released.RELEASED);
        awaitNodes(0);
    }

    @Test
    void an_administrator_that_deletes_the_node_of_an_unanswered_lowering_is_noticed() throws Exception {
        answerLost(3);
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        await().ignoreExceptionsInstanceOf(BackendFailure.class)
                .until(() -> Probe.await(lower(3)).get(0) instanceof Renewal.Lost);
    }

    // Steps

    private CompletionStage<List<Renewal>> lower(int weight) {
        return probe.backend.renew(List.of(grant.withClaim(grant.claim().withShare(new Share(weight, 5)))));
    }

    private void answerLost(int weight) {
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<List<Renewal>> lowering = lower(weight);
        await().until(() -> weight() == weight);
        cut();
        Renewal answer = lowering.toCompletableFuture()
                .thenApply(renewals -> renewals.get(0))
                .exceptionally(failure -> new Renewal.Unknown((BackendFailure) BackendFailure.causeOf(failure)))
                .join();
        assertThat(answer).isInstanceOf(Renewal.Unknown.class);
    }

    private void renewed(int weight) {
        await().ignoreExceptionsInstanceOf(BackendFailure.class)
                .until(() -> Probe.await(lower(weight)).get(0) instanceof Renewal.Renewed);
    }

    private int weight() throws Exception {
        return requireNonNull(NodeName.parse(SERVER.admin().children(lock).get(0)))
                .share()
                .weight();
    }
}
