package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A token floor is raised while a client may keep the lock: the call waits for that client's answer. */
@InTier(Tier.STANDARD)
class KeptFloorTest extends TwoClientsFixture {
    private static final long HIGH = 1L << 40;

    @AfterEach
    void removeFloors() throws Exception {
        for (String child : floors()) {
            SERVER.admin().delete(lock, child);
        }
    }

    private List<String> floors() throws Exception {
        return SERVER.admin().children(lock).stream()
                .filter(child -> child.startsWith("floor-"))
                .toList();
    }

    private CompletionStage<Void> raise(Probe client, long floor) {
        return client.backend.tokenFloor().orElseThrow().raise(new LockName(lock), floor);
    }

    @Test
    void a_floor_recalls_and_waits_until_the_lock_is_given_back() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();

        CompletionStage<Void> raised = raise(b, HIGH);
        holder.awaitSignal(Signal.WANTED);
        assertThat(SERVER.admin().children(lock)).hasSize(2);
        assertThat(raised.toCompletableFuture()).isNotDone();
        holder.release();

        Probe.await(raised);
        assertThat(a.keeper(lock).recallable().token()).isGreaterThan(HIGH);
    }

    @Test
    void a_renewal_that_no_longer_keeps_is_an_answer() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();

        CompletionStage<Void> raised = raise(b, HIGH);
        holder.awaitSignal(Signal.WANTED);
        a.renew(List.of(grant));
        assertThat(raised.toCompletableFuture())
                .as("after a renewal that keeps")
                .isNotDone();
        holder.renewedPlainly(grant);

        Probe.await(raised);
        assertThat(SERVER.admin().children(lock)).contains(holder.node());
    }

    @Test
    void a_client_that_answered_before_is_not_waited_for() {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();
        holder.renewedPlainly(grant);

        Probe.await(raise(b, HIGH));

        assertThat(holder.toldWanted()).isFalse();
    }

    @Test
    void a_client_that_raises_the_floor_itself_answers_like_any_other() {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();

        CompletionStage<Void> raised = raise(a, HIGH);
        holder.awaitSignal(Signal.WANTED);
        holder.renewedPlainly(grant);

        Probe.await(raised);
    }

    @Test
    void a_silent_client_makes_the_call_fail_and_it_may_be_repeated() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        holder.recallable();
        try (Probe brief = Probe.connect("zookeeper://" + address() + "?commandTimeout=500ms")) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> Probe.await(raise(brief, HIGH)))
                    .withMessageContaining(holder.node())
                    .withMessageContaining("may keep the lock")
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE))
                    .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));
            CompletionStage<Void> again = raise(brief, HIGH);
            holder.release();
            Probe.await(again);
        }
        assertThat(floors()).hasSize(1);
    }

    @Test
    void a_holder_that_waited_answers_by_its_first_renewal() {
        Probe.Holder first = b.holder(lock);
        first.granted();
        Probe.Holder holder = a.keeper(lock);
        holder.attempt();
        first.release();
        holder.awaitSignal(Signal.MAYBE_FREE);
        Grant grant = holder.plain();

        CompletionStage<Void> raised = raise(b, HIGH);
        await().untilAsserted(() -> assertThat(floors()).hasSize(1));
        assertThat(raised.toCompletableFuture()).isNotDone();
        a.renew(List.of(grant));

        Probe.await(raised);
    }

    @Test
    void a_waiter_that_would_keep_is_not_waited_for_and_does_not_keep() {
        Probe.Holder first = b.holder(lock);
        first.granted();
        Probe.Holder second = b.holder(lock);
        second.attempt();
        Probe.Holder waiter = a.keeper(lock);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);

        Probe.await(raise(b, HIGH));

        first.release();
        second.release();
        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.plain().token()).isLessThan(HIGH);
    }

    /** The folder has changed since that client came, so that later tokens are above the floor without an offset. */
    @Test
    void a_floor_that_adds_nothing_for_later_holders_waits_for_an_earlier_one() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();
        SERVER.admin().create(lock, "foreign");
        holder.awaitSignal(Signal.WANTED);

        CompletionStage<Void> raised = raise(b, grant.token() + 1);
        await().untilAsserted(() -> assertThat(floors()).hasSize(1));
        assertThat(raised.toCompletableFuture()).isNotDone();
        holder.release();
        Probe.await(raised);

        assertThat(a.keeper(lock).granted().token()).isGreaterThan(grant.token() + 1);
        SERVER.admin().delete(lock, "foreign");
    }

    @Test
    void floors_that_were_raised_only_to_recall_do_not_pile_up() throws Exception {
        for (int i = 0; i < 5; i++) {
            Probe.Holder holder = a.keeper(lock);
            holder.recallable();
            CompletionStage<Void> raised = raise(b, 1);
            holder.awaitSignal(Signal.WANTED);
            holder.release();
            Probe.await(raised);
        }
        Probe.await(raise(b, 1));

        assertThat(floors()).hasSizeLessThanOrEqualTo(2);
    }
}
