package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client that re-acquires a lock which no other client used skips the listing. The saved requests are counted at the server. Each way in
 * which the conclusion could be wrong must end in a listing.
 */
@InTier(Tier.STANDARD)
class SkippedListingTest {
    private static final int CYCLES = 100;

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;
    private Probe client;
    private Probe other;

    @BeforeEach
    void connectClients(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        client = Probe.connect("zookeeper://" + SERVER.server().connectString());
        other = Probe.connect("zookeeper://" + SERVER.server().connectString());
    }

    @AfterEach
    void closeClients() {
        client.close();
        other.close();
    }

    // What it saves

    @Test
    void a_cycle_at_a_lock_of_one_client_costs_two_requests() throws Exception {
        cycles(3);

        assertThat(requests(() -> cycles(CYCLES)))
                .as("a creation and a deletion each")
                .isBetween(2L * CYCLES, 2L * CYCLES + CYCLES / 4);
    }

    @Test
    void a_cycle_at_a_lock_that_is_used_for_the_first_time_costs_two_requests() throws Exception {
        cycles(1);

        assertThat(requests(() -> IntStream.range(0, CYCLES).forEach(each -> cycle(lock + each))))
                .as("a transaction that creates the folder and the node; a deletion")
                .isBetween(2L * CYCLES, 2L * CYCLES + CYCLES / 4);
    }

    @Test
    void a_client_that_finds_the_folders_of_others_guesses_wrong_once() throws Exception {
        IntStream.range(0, CYCLES).forEach(each -> cycle(lock + each));

        Probe.Holder fresh = other.holder(lock + "-fresh");
        fresh.granted();
        fresh.release();
        assertThat(requests(() -> IntStream.range(0, CYCLES).forEach(each -> {
                    Probe.Holder holder = other.holder(lock + each);
                    holder.granted();
                    holder.release();
                })))
                .as("a creation, a listing and a deletion each")
                .isBetween(3L * CYCLES, 3L * CYCLES + CYCLES / 4);
    }

    @Test
    void me2_a_holder_that_created_the_folder_keeps_others_out_and_has_its_nodes_token() throws Exception {
        cycle(lock + "-1");

        Grant grant = client.holder(lock).granted();

        assertThat(grant.token())
                .isEqualTo(SERVER.admin()
                        .stat(lock, SERVER.admin().children(lock).get(0))
                        .getCzxid());
        assertThat(other.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
    }

    @Test
    void me2_a_folder_that_another_client_created_is_entered_behind_it() throws Exception {
        cycle(lock + "-1");
        Grant theirs = other.holder(lock).granted();

        assertThat(client.trier(lock).attempt()).as("a wrong guess").isInstanceOf(Attempt.Busy.class);

        assertThat(theirs.token()).isPositive();
    }

    @Test
    void a_transfer_at_a_lock_of_one_client_costs_one_request() throws Exception {
        List<Grant> grants = new ArrayList<>(List.of(client.holder(lock).granted()));

        // The first transfer lists: the client does not know yet that it is alone.
        assertThat(requests(() -> grants.addAll(transfers(grants.get(0), CYCLES))))
                .isBetween((long) CYCLES, CYCLES + CYCLES / 4L);

        assertThat(grants).extracting(Grant::token).isSorted().doesNotHaveDuplicates();
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }

    @Test
    void a_cycle_of_a_client_that_would_keep_the_lock_costs_a_listing_more() throws Exception {
        cyclesWithoutListing();

        assertThat(requests(() -> IntStream.range(0, CYCLES).forEach(each -> keptCycle())))
                .as("a creation, a listing and a deletion each")
                .isBetween(3L * CYCLES, 3L * CYCLES + CYCLES / 4);

        cycles(1);
        cyclesWithoutListing();
    }

    private void keptCycle() {
        Probe.Holder holder = client.keeper(lock);
        holder.recallable();
        holder.release();
    }

    // What it must not change

    @Test
    void me2_a_holder_that_skipped_the_listing_keeps_others_out_and_has_its_nodes_token() throws Exception {
        cyclesWithoutListing();

        Grant grant = client.holder(lock).granted();

        assertThat(grant.token())
                .isEqualTo(SERVER.admin()
                        .stat(lock, SERVER.admin().children(lock).get(0))
                        .getCzxid());
        assertThat(other.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
    }

    @Test
    void me2_another_client_that_came_in_between_is_first() throws Exception {
        cyclesWithoutListing();
        Probe.Holder between = other.holder(lock);
        Grant theirs = between.granted();

        Probe.Holder holder = client.holder(lock);
        assertThat(holder.attempt()).isInstanceOf(Attempt.Busy.class);

        between.release();
        assertThat(holder.waited().token()).isGreaterThan(theirs.token());
    }

    @Test
    void me2_another_holder_of_the_same_client_that_came_in_between_is_first() throws Exception {
        cyclesWithoutListing();
        Probe.Holder between = client.holder(lock);
        between.granted();

        assertThat(client.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
        assertThat(client.trier(lock).attempt())
                .as("the node that was deleted last was not the first")
                .isInstanceOf(Attempt.Busy.class);
        between.release();
    }

    @Test
    void li6_a_transfer_behind_a_waiting_client_keeps_the_order() throws Exception {
        List<Grant> grants = transfers(client.holder(lock).granted(), CYCLES);
        Probe.Holder remote = other.holder(lock);
        assertThat(remote.attempt()).isInstanceOf(Attempt.Busy.class);

        Probe.Holder local = client.holder(lock);
        assertThat(Probe.await(local.transferFrom(grants.get(CYCLES - 1)).attempt()))
                .isInstanceOf(Attempt.Busy.class);

        Grant theirs = remote.waited();
        remote.release();
        assertThat(local.waited().token()).isGreaterThan(theirs.token());
    }

    @Test
    void a_removed_folder_is_recreated_and_listed() throws Exception {
        cyclesWithoutListing();
        long before = client.holder(lock + "-other").granted().token();
        SERVER.admin().client.delete(ServerAdmin.folder(lock), -1);

        Grant grant = client.holder(lock).granted();

        assertThat(grant.token()).isGreaterThan(before);
        assertThat(other.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
    }

    /** The new node has the next number, but of another folder: the number alone would make it the first. */
    @Test
    void me2_a_recreated_folder_that_has_counted_as_far_is_not_taken_for_the_old_one() throws Exception {
        cycles(3);
        recreateFolderWithHolders(3);

        assertThat(client.holder(lock).attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(SERVER.admin().children(lock)).anyMatch(child -> child.endsWith("-0000000003"));
        for (String child : SERVER.admin().children(lock)) {
            SERVER.admin().delete(lock, child);
        }
    }

    @Test
    void fe7_a_token_floor_that_was_raised_in_between_is_below_all_later_tokens() {
        cycles(3);
        long floor = client.holder(lock + "-other").granted().token() + 1_000_000;
        Probe.await(other.backend.tokenFloor().orElseThrow().raise(new LockName(lock), floor));

        Probe.Holder first = client.holder(lock);
        long token = first.granted().token();
        assertThat(token).isGreaterThan(floor);
        first.release();

        assertThat(client.holder(lock).granted().token())
                .as("the floor counts without a listing too")
                .isGreaterThan(token);
    }

    // Steps

    private void cycle(String name) {
        Probe.Holder holder = client.holder(name);
        holder.granted();
        holder.release();
    }

    private void cycles(int count) {
        IntStream.range(0, count).forEach(each -> cycle(lock));
    }

    /** Makes sure that the client skips listings from now on: one that lists would pass every test. */
    private void cyclesWithoutListing() throws Exception {
        cycles(10);
        assertThat(requests(() -> cycles(10)))
                .as("requests of a client that skips the listing")
                .isBetween(20L, 27L);
    }

    /** Transfers the lock from holder to holder of the client. */
    private List<Grant> transfers(Grant from, int count) {
        List<Grant> grants = new ArrayList<>();
        Grant held = from;
        for (int i = 0; i < count; i++) {
            Attempt attempt = Probe.await(client.holder(lock).transferFrom(held).attempt());
            assertThat(attempt).isInstanceOf(Attempt.Granted.class);
            held = ((Attempt.Granted) attempt).grant();
            grants.add(held);
        }
        return grants;
    }

    private void recreateFolderWithHolders(int count) throws Exception {
        String folder = ServerAdmin.folder(lock);
        SERVER.admin().client.delete(folder, -1);
        SERVER.admin().client.create(folder, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
        for (int number = 0; number < count; number++) {
            SERVER.admin()
                    .client
                    .create(
                            folder + "/x-other" + number + "-",
                            new byte[0],
                            ZooDefs.Ids.OPEN_ACL_UNSAFE,
                            CreateMode.EPHEMERAL_SEQUENTIAL);
        }
    }

    /** The requests that the server receives during the work, with pings, heartbeats and the question itself. */
    private static long requests(Runnable work) throws Exception {
        long before = SERVER.admin().packets();
        work.run();
        return SERVER.admin().packets() - before;
    }
}
