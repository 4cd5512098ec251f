package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** Locks are acquired and released, without faults. */
@InTier(Tier.STANDARD)
class AcquisitionTest extends TwoClientsFixture {
    @Test
    void a_free_lock_is_granted_with_the_transaction_of_its_node_as_token() throws Exception {
        Grant grant = a.holder(lock).granted();

        assertThat(SERVER.admin().children(lock)).hasSize(1);
        assertThat(SERVER.admin()
                        .stat(lock, SERVER.admin().children(lock).get(0))
                        .getCzxid())
                .isEqualTo(grant.token());
        assertThat(grant.validity()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_node_says_which_process_asked_for_it_and_the_server_since_when() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Probe.Holder first = a.holder(lock);
        Grant grant = first.granted();
        b.holder(lock).attempt();
        assertThat(Probe.await(a.holder(lock).transferFrom(grant).attempt())).isInstanceOf(Attempt.Busy.class);

        assertThat(SERVER.admin().children(lock)).hasSize(2);
        for (String child : SERVER.admin().children(lock)) {
            String[] origin = SERVER.admin().data(lock, child).split("\\|");
            assertThat(origin).as(String.join("|", origin)).hasSize(2);
            assertThat(origin[0]).isEqualTo("1");
            assertThat(origin[1])
                    .startsWith(ProcessHandle.current().pid() + "@")
                    .doesNotEndWith("@");
            assertThat(Instant.ofEpochMilli(SERVER.admin().stat(lock, child).getCtime()))
                    .isBetween(before, Instant.now());
        }
    }

    @Test
    void the_same_holder_asking_again_is_the_same_grant() throws Exception {
        Probe.Holder holder = a.holder(lock);

        assertThat(holder.granted().token()).isEqualTo(holder.granted().token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void two_attempts_of_one_holder_at_once_make_one_node() throws Exception {
        Probe.Holder holder = a.holder(lock);

        var first = holder.start();
        var second = holder.start();

        assertThat(Probe.await(first)).isInstanceOf(Attempt.Granted.class);
        assertThat(Probe.await(second)).isInstanceOf(Attempt.Granted.class);
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void me2_second_client_is_refused_while_first_holds_and_told_when_it_may_go_on() {
        Probe.Holder first = a.holder(lock);
        Probe.Holder second = b.holder(lock);
        Grant earlier = first.granted();
        assertThat(second.attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(first.release()).isEqualTo(Released.RELEASED);

        second.awaitSignal(Signal.MAYBE_FREE);
        assertThat(second.granted().token()).isGreaterThan(earlier.token());
    }

    @Test
    void a_single_try_on_a_busy_lock_leaves_no_node() throws Exception {
        a.holder(lock).granted();

        assertThat(b.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void ow1_release_ends_what_the_holder_has_and_nothing_else() throws Exception {
        Probe.Holder holder = a.holder(lock);
        holder.granted();

        assertThat(b.holder(lock).release()).isEqualTo(Released.NOT_HELD);
        assertThat(SERVER.admin().children(lock)).hasSize(1);
        assertThat(holder.release()).isEqualTo(Released.RELEASED);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(SERVER.admin().children(lock)).isEmpty();
    }

    @Test
    void a_release_that_overtakes_the_answer_of_the_attempt_leaves_nothing() throws Exception {
        for (int i = 0; i < 50; i++) {
            Probe.Holder holder = a.holder(lock);
            var attempt = holder.start();
            holder.release();
            Probe.await(attempt);
        }

        assertThat(SERVER.admin().children(lock)).isEmpty();
    }

    @Test
    void foreign_children_are_ignored() throws Exception {
        Probe.Holder holder = a.holder(lock);
        holder.granted();
        SERVER.admin().create(lock, "_c_9-lock-0000000000");
        SERVER.admin().create(lock, "readme");
        holder.release();

        assertThat(b.holder(lock).granted().token()).isPositive();

        SERVER.admin().delete(lock, "_c_9-lock-0000000000");
        SERVER.admin().delete(lock, "readme");
    }

    @Test
    void zk7_a_deleted_parent_is_made_again_and_the_token_is_still_larger() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Grant before = holder.granted();
        holder.release();
        SERVER.admin().client.delete(ServerAdmin.folder(lock), -1);

        Grant after = b.holder(lock).granted();

        assertThat(after.token()).isGreaterThan(before.token());
        assertThat(SERVER.admin().children(lock).get(0)).endsWith("-0000000001");
    }

    @Test
    void ap4_names_that_look_alike_are_different_locks() {
        for (String name : List.of("a/b", "a%2Fb", "a", "/", ".", "..", "%2E", "zookeeper", "😀", "\u0001", "{a}")) {
            assertThat(a.holder(name).granted().token()).as(name).isPositive();
        }
    }

    @Test
    void me2_fe1_no_two_clients_hold_at_once_and_every_token_is_larger() {
        AtomicInteger holding = new AtomicInteger();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<Probe> clients = List.of(a, b, open(), open());
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (Probe client : clients) {
            for (int thread = 0; thread < 2; thread++) {
                running.add(CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 40; i++) {
                                Probe.Holder holder = client.holder(lock);
                                tokens.add(holder.waited().token());
                                assertThat(holding.incrementAndGet()).isEqualTo(1);
                                holding.decrementAndGet();
                                assertThat(holder.release()).isEqualTo(Released.RELEASED);
                            }
                        },
                        task -> new Thread(task).start()));
            }
        }

        running.forEach(CompletableFuture::join);

        assertThat(tokens).hasSize(320).isSorted().doesNotHaveDuplicates();
        clients.subList(2, 4).forEach(Probe::close);
    }

    @Test
    void a_foreign_node_in_the_way_is_an_error_and_not_busy() throws Exception {
        SERVER.admin().client.create("/foreign", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        try (Probe strange = Probe.connect("zookeeper://" + address() + "/foreign")) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> strange.holder(lock).attempt())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE))
                    .withMessageContaining("foreign ephemeral node");
        } finally {
            SERVER.admin().client.delete("/foreign", -1);
        }
    }
}
