package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A holder that gives back a part of its weight: a writer that becomes a reader, a holder of several permits. */
@InTier(Tier.STANDARD)
class LoweringTest extends TwoClientsFixture {
    /** No beat comes during a test: it would watch the clients' own nodes. */
    @Override
    String sessionTimeout() {
        return "60s";
    }

    @Test
    void a_writer_that_becomes_a_reader_keeps_its_place_and_its_token_and_lets_readers_in() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        Grant grant = writer.granted();
        String sequence = sequence(SERVER.admin().children(lock).get(0));
        List<Probe.Holder> readers = List.of(b.holder(lock, Share.READ), b.holder(lock, Share.READ));
        readers.forEach(LoweringTest::busy);
        Probe.Holder later = b.holder(lock, Share.WRITE);
        busy(later);

        renewed(lower(a, grant, Share.READ));

        readers.forEach(reader -> reader.awaitSignal(Signal.MAYBE_FREE));
        readers.forEach(reader -> assertThat(reader.granted().token()).isGreaterThan(grant.token()));
        assertThat(later.signals).as("a later writer is not woken").isEmpty();
        busy(later);
        assertThat(SERVER.admin().children(lock))
                .filteredOn(child -> child.endsWith(sequence))
                .hasSize(1);
        assertThat(writer.granted().token()).isEqualTo(grant.token());

        assertThat(writer.release()).isEqualTo(Released.RELEASED);
        readers.forEach(Probe.Holder::release);
        assertThat(later.waited().token()).isGreaterThan(grant.token());
    }

    /** The next writer was directly behind: it sees the writer's node go, and a reader's in its place. */
    @Test
    void a_writer_behind_one_that_becomes_a_reader_goes_on_waiting() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        Grant grant = writer.granted();
        Probe.Holder next = b.holder(lock, Share.WRITE);
        busy(next);
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isEqualTo(1));

        renewed(lower(a, grant, Share.READ));

        busy(next);
        writer.release();
        assertThat(next.waited().token()).isGreaterThan(grant.token());
    }

    @Test
    void permits_that_are_given_back_wake_those_who_fit() {
        Probe.Holder all = a.holder(lock, new Share(5, 5));
        Grant grant = all.granted();
        Probe.Holder two = b.holder(lock, new Share(2, 5));
        busy(two);
        Probe.Holder one = b.holder(lock, new Share(1, 5));
        busy(one);
        Probe.Holder more = b.holder(lock, new Share(1, 5));
        busy(more);

        renewed(lower(a, grant, new Share(2, 5)));

        assertThat(two.waited().token()).isPositive();
        assertThat(one.waited().token()).isPositive();
        busy(more);
        renewed(lower(a, grant, new Share(1, 5)));
        assertThat(more.waited().token()).isPositive();
        assertThat(all.release()).isEqualTo(Released.RELEASED);
    }

    @Test
    void neither_a_renewal_nor_a_repeated_attempt_raises() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        Grant grant = writer.granted();
        renewed(lower(a, grant, Share.READ));
        List<String> nodes = SERVER.admin().children(lock);

        renewed(a.renew(List.of(grant)).get(0));
        assertThat(writer.granted().token()).isEqualTo(grant.token());

        assertThat(SERVER.admin().children(lock)).isEqualTo(nodes);
        assertThat(b.holder(lock, Share.READ).granted().token()).isPositive();
    }

    @Test
    void many_renewals_at_once_lower_those_that_weigh_less_and_confirm_the_others() throws Exception {
        List<Grant> grants = new ArrayList<>();
        grants.add(a.holder(lock, new Share(3, 9)).granted());
        grants.add(a.holder(lock, new Share(3, 9)).granted());
        grants.add(a.holder(lock + "-other").granted());
        Grant lower = withShare(grants.get(1), new Share(1, 9));

        List<Renewal> renewals = a.renew(List.of(grants.get(0), lower, grants.get(2)));

        assertThat(renewals).hasSize(3).allMatch(renewal -> renewal instanceof Renewal.Renewed);
        assertThat(SERVER.admin().children(lock))
                .extracting(LoweringTest::weight)
                .containsExactlyInAnyOrder(3, 1);
    }

    @Test
    void lowerings_at_once_end_with_the_lowest_weight() throws Exception {
        Grant grant = a.holder(lock, new Share(9, 9)).granted();
        List<CompletionStage<List<Renewal>>> renewals = new ArrayList<>();
        for (int weight : List.of(8, 3, 6, 2)) {
            renewals.add(a.backend.renew(List.of(withShare(grant, new Share(weight, 9)))));
        }

        renewals.forEach(renewal -> renewed(Probe.await(renewal).get(0)));

        assertThat(SERVER.admin().children(lock))
                .extracting(LoweringTest::weight)
                .containsExactly(2);
        assertThat(a.holder(lock, new Share(7, 9)).granted().token()).isPositive();
    }

    /** Two threads, in either order of the requests: the release ends the node that exists then. */
    @Test
    void lowerings_and_releases_at_once_leave_no_node() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 300; round++) {
                Grant grant = a.holder(lock, new Share(9, 9)).granted();
                CyclicBarrier together = new CyclicBarrier(2);
                Future<CompletionStage<List<Renewal>>> renewal = other.submit(() -> {
                    together.await();
                    return a.backend.renew(List.of(withShare(grant, new Share(1, 9))));
                });
                together.await();
                Released released = Probe.await(a.backend.release(grant.claim()));

                Probe.await(renewal.get(30, TimeUnit.SECONDS));
                assertThat(released).isEqualTo(Released.RELEASED);
                assertThat(SERVER.admin().children(lock)).isEmpty();
            }
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void a_waiter_that_became_the_holder_and_gives_back_is_not_lost_by_its_own_watch() {
        Probe.Holder first = a.holder(lock, Share.READ);
        first.granted();
        Probe.Holder writer = b.holder(lock, Share.WRITE);
        busy(writer);
        first.release();
        Grant grant = writer.waited();
        writer.signals.clear();

        renewed(lower(b, grant, Share.READ));

        assertThat(writer.attempt()).isInstanceOf(Attempt.Granted.class);
        assertThat(writer.signals).isEmpty();
    }

    @Test
    void a_deleted_node_is_lost_also_for_one_that_gives_back() throws Exception {
        Grant grant = a.holder(lock, Share.WRITE).granted();
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        assertThat(lower(a, grant, Share.READ)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void le6_a_node_that_was_given_back_in_part_and_then_deleted_is_told_as_lost() throws Exception {
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        renewed(lower(a, writer.granted(), Share.READ));

        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        writer.awaitSignal(Signal.LOST);
    }

    /** Those who wait behind a writer count on it. */
    @Test
    void a_writer_becomes_a_reader_and_nothing_in_between() throws Exception {
        Grant grant = a.holder(lock, Share.WRITE).granted();
        List<String> nodes = SERVER.admin().children(lock);

        assertThat(lower(a, grant, new Share(2, Share.READ_WRITE)))
                .isInstanceOfSatisfying(
                        Renewal.Unknown.class,
                        unknown -> assertThat(unknown.why().kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE));
        assertThat(SERVER.admin().children(lock)).isEqualTo(nodes);
    }

    // Steps

    private static Renewal lower(Probe client, Grant grant, Share share) {
        return client.renew(List.of(withShare(grant, share))).get(0);
    }

    private static Grant withShare(Grant grant, Share share) {
        return grant.withClaim(grant.claim().withShare(share));
    }

    private static void renewed(Renewal renewal) {
        assertThat(renewal).isInstanceOf(Renewal.Renewed.class);
    }

    private static void busy(Probe.Holder holder) {
        assertThat(holder.attempt()).isInstanceOf(Attempt.Busy.class);
    }

    private static int weight(String child) {
        return requireNonNull(NodeName.parse(child)).share().weight();
    }

    private static String sequence(String child) {
        return child.substring(child.length() - NodeOrder.DIGITS);
    }
}
