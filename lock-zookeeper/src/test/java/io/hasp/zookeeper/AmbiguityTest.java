package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests without an answer, whether the server applied them or not. */
@InTier(Tier.STANDARD)
class AmbiguityTest extends ProxiedClientFixture {
    /** Starts an attempt that creates a node, and whose answer is lost with the connection. */
    private void startUnanswered(Probe.Holder holder) {
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = holder.start();
        awaitNodes(1);
        cut();
        unknown(attempt);
    }

    @Test
    void a_silent_connection_is_reported_within_the_command_timeout() {
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        long started = System.nanoTime();

        unknown(probe.holder(lock).start());

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void zk3_a_creation_whose_answer_is_lost_makes_one_node_and_is_found() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        startUnanswered(holder);
        String node = SERVER.admin().children(lock).get(0);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(SERVER.admin().children(lock)).containsExactly(node);
        assertThat(holder.granted().token())
                .isEqualTo(SERVER.admin().stat(lock, node).getCzxid());
    }

    @Test
    void zk3_a_creation_that_is_lost_itself_is_made_up_for_once() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        CompletionStage<Attempt> attempt = holder.start();
        unknown(attempt);
        cut();

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void fa5_giving_up_after_a_lost_answer_leaves_no_node() {
        Probe.Holder holder = probe.holder(lock);
        startUnanswered(holder);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.release()).isEqualTo(Released.NOT_HELD));

        awaitNodes(0);
        assertThat(probe.holder(lock).granted().token()).isPositive();
    }

    @Test
    void giving_up_while_the_answer_is_awaited_leaves_no_node_either() {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        holder.start();
        awaitNodes(1);
        unknown(probe.backend.release(holder.claim));

        cut();

        awaitNodes(0);
    }

    @Test
    void zk8_a_deletion_that_is_lost_is_repeated_in_the_background() {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(probe.backend.release(holder.claim));

        cut();

        awaitNodes(0);
        assertThat(probe.holder(lock).waited().token()).isPositive();
    }

    @Test
    void zk8_a_deletion_whose_answer_is_lost_has_released_the_lock() {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletableFuture<Released> released =
                probe.backend.release(holder.claim).toCompletableFuture();
        awaitNodes(0);
        cut();
        unknown(released);

        await().ignoreExceptions().until(() -> holder.release() != null);
        assertThat(probe.holder(lock).granted().token()).isPositive();
    }

    @Test
    void a_transfer_whose_answer_is_lost_keeps_one_node_and_the_new_holder_finds_it() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        String before = SERVER.admin().children(lock).get(0);
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        CompletionStage<Attempt> transfer = second.transferFrom(grant).attempt();
        await().untilAsserted(() ->
                assertThat(SERVER.admin().children(lock)).hasSize(1).doesNotContain(before));
        cut();
        unknown(transfer);

        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(second.attempt()).isInstanceOf(Attempt.Granted.class));

        assertThat(second.granted().token()).isGreaterThan(grant.token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void a_transfer_that_is_lost_is_made_up_for() throws Exception {
        Probe.Holder first = probe.holder(lock);
        Probe.Holder second = probe.holder(lock);
        Grant grant = first.granted();
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        unknown(second.transferFrom(grant).attempt());
        cut();

        await().ignoreExceptions().until(() -> second.attempt() instanceof Attempt.Granted);

        assertThat(second.granted().token()).isGreaterThan(grant.token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }
}
