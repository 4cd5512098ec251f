package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** After an interrupted connection, holders and waiters learn of the changes during the interruption. */
@InTier(Tier.STANDARD)
class InterruptedConnectionTest extends ProxiedClientFixture {
    @Test
    void a_waiter_notices_a_release_that_happened_while_it_was_cut_off() throws Exception {
        try (Probe other = Probe.connect("zookeeper://" + address())) {
            Probe.Holder holder = other.holder(lock);
            Probe.Holder waiter = probe.holder(lock);
            Grant grant = holder.granted();
            assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
            proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            holder.release();

            cut();

            waiter.awaitSignal(Signal.MAYBE_FREE);
            await().ignoreExceptions().until(() -> waiter.attempt() instanceof Attempt.Granted);
            assertThat(waiter.granted().token()).isGreaterThan(grant.token());
        }
    }

    @Test
    void zk4_a_cut_connection_makes_the_holder_suspect_and_its_return_restores_it() {
        Probe.Holder holder = probe.holder(lock);
        Grant grant = holder.granted();

        cut();

        holder.awaitSignal(Signal.SUSPECT);
        holder.awaitSignal(Signal.RESTORED);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.granted().token()).isEqualTo(grant.token()));
    }

    @Test
    void le6_a_holder_whose_node_vanished_while_it_was_cut_off_is_not_granted_again() throws Exception {
        Probe.Holder holder = probe.holder(lock);
        holder.granted();
        proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        cut();

        holder.awaitSignal(Signal.RESTORED);
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(holder.attempt()).isInstanceOf(Attempt.Gone.class));
    }

    /** The answers are outdated when they arrive; the check after a silence finds that out. */
    @Test
    void le6_a_node_that_was_deleted_while_its_answers_were_late_by_more_than_a_session_is_not_granted()
            throws Exception {
        Probe.Holder holder = probe.holder(lock);
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        CompletionStage<Attempt> attempt = holder.start();
        awaitNodes(1);
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));
        probe.passes(Duration.ofSeconds(20));
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        assertThat(Probe.await(attempt)).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void after_many_interruptions_no_node_and_no_watch_is_left() throws Exception {
        Random random = new Random(11);
        for (int i = 0; i < Tier.count(4, 16); i++) {
            List<Probe.Holder> holders = List.of(probe.holder(lock), probe.holder(lock), probe.trier(lock));
            int moment = random.nextInt(3);
            if (moment == 0) {
                proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            } else if (moment == 1) {
                proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
            }
            holders.forEach(Probe.Holder::start);
            cut();
            holders.forEach(holder -> probe.backend.release(holder.claim));
            await().until(this::works);
        }

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(SERVER.admin().children(lock)).isEmpty();
            assertThat(SERVER.admin().children("next")).isEmpty();
            assertThat(SERVER.admin().watches()).isZero();
        });
    }

    private boolean works() {
        Probe.Holder next = probe.holder("next");
        try {
            Attempt attempt = next.attempt();
            // Also after "busy": a holder that stays queued would get the lock and keep it.
            return next.release() == Released.RELEASED && attempt instanceof Attempt.Granted;
        } catch (BackendFailure failure) {
            probe.backend.release(next.claim);
            return false;
        }
    }
}
