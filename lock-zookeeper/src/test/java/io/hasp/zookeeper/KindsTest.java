package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Share;
import io.hasp.zookeeper.layout.NodeOrder;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A name is one kind of lock at a time: that of its first node. */
@InTier(Tier.STANDARD)
class KindsTest extends TwoClientsFixture {
    private static final Share FIVE = new Share(1, 5);
    private static final Share EIGHT = new Share(2, 8);

    @Test
    void a_name_in_use_as_one_kind_is_refused_as_another_and_goes_on() throws Exception {
        List<Share> kinds = List.of(Share.EXCLUSIVE, Share.READ, Share.WRITE, FIVE, EIGHT);
        for (Share used : kinds) {
            for (Share asked : kinds) {
                if (used.capacity() != asked.capacity()) {
                    refusedAndGoesOn(used, asked);
                }
            }
        }
    }

    /** The shortcut of an exclusive lock (decision 14) takes the last deleted node for the first: a reader's is not. */
    @Test
    void me2_a_client_that_was_a_reader_does_not_take_itself_for_alone() {
        a.holder(lock, Share.READ).granted();
        Probe.Holder reader = b.holder(lock, Share.READ);
        reader.granted();
        reader.release();

        refused(b.holder(lock), Share.READ, Share.EXCLUSIVE);
    }

    /** A client of another kind that is about to be refused must not make those fail that were right. */
    @Test
    void a_node_of_another_kind_behind_the_first_one_delays_those_behind_it_and_fails_none() throws Exception {
        for (Share share : List.of(Share.EXCLUSIVE, FIVE, Share.WRITE)) {
            for (String other : List.of("s.9.9-other-", "x-other-")) {
                if (share.isExclusive() && other.startsWith("x")) {
                    continue;
                }
                Probe.Holder holder = a.holder(lock, share);
                holder.granted();
                String planted = plantBehind(SERVER.admin().children(lock).get(0), other);
                Probe.Holder waiter = b.holder(lock, share);
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                holder.release();

                SERVER.admin().delete(lock, planted);

                assertThat(waiter.waited().token()).isPositive();
                waiter.release();
            }
        }
    }

    @Test
    void of_two_kinds_that_come_at_once_the_earlier_one_goes_on() {
        for (int round = 0; round < 200; round++) {
            Probe.Holder one = a.trier(lock, round % 2 == 0 ? Share.EXCLUSIVE : EIGHT);
            Probe.Holder two = b.trier(lock, FIVE);
            CompletionStage<Attempt> first = one.start();
            CompletionStage<Attempt> second = two.start();

            assertThat(List.of(granted(first), granted(second))).containsExactlyInAnyOrder(true, false);

            one.release();
            two.release();
        }
    }

    /** Granted, or refused as another kind. */
    private static boolean granted(CompletionStage<Attempt> attempt) {
        try {
            assertThat(Probe.await(attempt)).isInstanceOf(Attempt.Granted.class);
            return true;
        } catch (BackendFailure failure) {
            assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.OTHER_KIND);
            return false;
        }
    }

    private String plantBehind(String first, String prefix) throws Exception {
        long next = NodeOrder.sequence(first) + 1;
        String name = prefix + "%010d".formatted(next);
        SERVER.admin().create(lock, name);
        return name;
    }

    private void refusedAndGoesOn(Share used, Share asked) throws Exception {
        Probe.Holder holder = a.holder(lock, used);
        holder.granted();
        List<String> nodes = SERVER.admin().children(lock);

        refused(b.holder(lock, asked), used, asked);
        refused(a.trier(lock, asked), used, asked);

        assertThat(SERVER.admin().children(lock)).isEqualTo(nodes);
        assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class);
        holder.release();
        Probe.Holder later = b.holder(lock, asked);
        assertThat(later.granted().token()).as("an idle name has no kind").isPositive();
        later.release();
    }

    private static void refused(Probe.Holder holder, Share used, Share asked) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(holder::attempt)
                .satisfies(failure -> {
                    assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.OTHER_KIND);
                    assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
                    assertThat(failure).hasMessageContaining(used.kind()).hasMessageContaining(asked.kind());
                });
    }
}
