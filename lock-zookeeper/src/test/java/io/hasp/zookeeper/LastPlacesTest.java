package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.zookeeper.LastPlaces.Last;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Who comes back to a lock that nobody else used meanwhile is the first, and who only seems to be asks. */
class LastPlacesTest {
    private static final int CYCLES = 100;

    private static ZooKeeperServer server;
    private static Servers servers;

    private String lock;
    private Probe a;
    private Probe b;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
        servers = Servers.administer(server);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
        server.close();
    }

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        a = Probe.connect("zookeeper://" + server.connectString());
        b = Probe.connect("zookeeper://" + server.connectString());
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static void cycle(Probe client, String lock) {
        Probe.Holder holder = client.holder(lock);
        holder.granted();
        holder.release();
    }

    private void cycles(int count) {
        IntStream.range(0, count).forEach(each -> cycle(a, lock));
    }

    /** So far apart are the nodes of a client that waits for nobody and asks for nothing. */
    private void cyclesWithoutListing() throws Exception {
        cycles(10);
        assertThat(requests(() -> cycles(10)))
                .as("a client that lists proves nothing")
                .isBetween(20L, 27L);
    }

    /** Pings, heartbeats and the question itself are counted as well. */
    private static long requests(Runnable work) throws Exception {
        long before = servers.packets();
        work.run();
        return servers.packets() - before;
    }

    @Test
    void a_lock_that_one_client_uses_costs_two_requests_and_whoever_holds_it_keeps_others_out() throws Exception {
        cycles(3);

        assertThat(requests(() -> cycles(CYCLES))).isBetween(2L * CYCLES, 2L * CYCLES + CYCLES / 4);
        Grant grant = a.holder(lock).granted();
        assertThat(grant.token())
                .isEqualTo(servers.stat(lock, servers.children(lock).get(0)).getCzxid());
        assertThat(b.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
    }

    @Test
    void a_lock_that_is_used_for_the_first_time_costs_six_requests() throws Exception {
        cycles(1);

        assertThat(requests(() -> IntStream.range(0, CYCLES).forEach(each -> cycle(a, lock + each))))
                .as("a creation that finds no folder and a listing; the folder, a creation and a listing; a deletion")
                .isBetween(6L * CYCLES, 6L * CYCLES + CYCLES / 4);
    }

    @Test
    void me2_somebody_who_came_in_between_is_before_the_one_who_comes_back() throws Exception {
        cyclesWithoutListing();
        Probe.Holder other = b.holder(lock);
        Grant theirs = other.granted();

        Probe.Holder back = a.holder(lock);
        assertThat(back.attempt()).isInstanceOf(Attempt.Busy.class);

        other.release();
        assertThat(back.waited().token()).isGreaterThan(theirs.token());
    }

    @Test
    void me2_somebody_of_the_same_client_who_came_in_between_is_before_the_one_who_comes_back() throws Exception {
        cyclesWithoutListing();
        Probe.Holder other = a.holder(lock);
        other.granted();

        assertThat(a.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
        assertThat(a.trier(lock).attempt())
                .as("the node that was given up before was not the first")
                .isInstanceOf(Attempt.Busy.class);
        other.release();
    }

    @Test
    void a_transfer_within_a_client_that_is_alone_costs_one_request_and_one_that_is_not_keeps_its_place()
            throws Exception {
        List<Grant> grants = new ArrayList<>(List.of(a.holder(lock).granted()));
        long requests = requests(() -> {
            for (int i = 0; i < CYCLES; i++) {
                grants.add(transferred(grants.get(i)));
            }
        });

        // The first one lists, as nobody knows yet that it is alone.
        assertThat(requests).isBetween((long) CYCLES, CYCLES + CYCLES / 4L);
        assertThat(grants).extracting(Grant::token).isSorted().doesNotHaveDuplicates();
        assertThat(servers.children(lock)).hasSize(1);

        Probe.Holder remote = b.holder(lock);
        assertThat(remote.attempt()).isInstanceOf(Attempt.Busy.class);
        Probe.Holder local = a.holder(lock);
        assertThat(Probe.await(local.takeOverFrom(grants.get(CYCLES)).attempt()))
                .isInstanceOf(Attempt.Busy.class);
        Grant theirs = remote.waited();
        remote.release();
        assertThat(local.waited().token()).isGreaterThan(theirs.token());
    }

    private Grant transferred(Grant from) {
        Attempt attempt = Probe.await(a.holder(lock).takeOverFrom(from).attempt());
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) attempt).grant();
    }

    @Test
    void a_folder_that_was_removed_is_made_anew_and_listed() throws Exception {
        cyclesWithoutListing();
        long last = a.holder(lock + "-other").granted().token();
        servers.admin.delete(Servers.folder(lock), -1);

        Grant grant = a.holder(lock).granted();

        assertThat(grant.token()).isGreaterThan(last);
        assertThat(b.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
    }

    /** The number is the next one, but of another folder: what a look at the number alone would take for a free lock. */
    @Test
    void me2_a_folder_that_was_made_anew_and_has_counted_as_far_again_is_not_the_old_one() throws Exception {
        cycles(3);
        String folder = Servers.folder(lock);
        servers.admin.delete(folder, -1);
        servers.admin.create(folder, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
        for (int number = 0; number < 3; number++) {
            servers.admin.create(
                    folder + "/x-other" + number + "-",
                    new byte[0],
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL);
        }

        assertThat(a.holder(lock).attempt()).isInstanceOf(Attempt.Busy.class);

        assertThat(servers.children(lock)).anyMatch(child -> child.endsWith("-0000000003"));
        for (String child : servers.children(lock)) {
            servers.delete(lock, child);
        }
    }

    @Test
    void fe7_a_token_floor_that_was_raised_in_between_is_below_the_next_token() {
        cycles(3);
        long floor = a.holder(lock + "-other").granted().token() + 1_000_000;
        Probe.await(b.backend.tokenFloor().orElseThrow().raise(new LockName(lock), floor));

        Probe.Holder first = a.holder(lock);
        long token = first.granted().token();
        assertThat(token).isGreaterThan(floor);
        first.release();

        assertThat(a.holder(lock).granted().token())
                .as("the floor goes on without a listing")
                .isGreaterThan(token);
    }

    @Test
    void the_next_number_within_as_many_transactions_comes_next() {
        Last last = new Last(9, 1_000, 0, false);

        assertThat(last.comesBefore(10, 1_002)).isTrue();
        assertThat(last.comesBefore(10, 1_010)).isTrue();
        assertThat(last.comesBefore(10, 1_011))
                .as("almost time enough to count anew")
                .isFalse();
        assertThat(last.comesBefore(10, 1_014)).as("time enough to count anew").isFalse();
        assertThat(last.comesBefore(11, 1_003)).as("somebody was there").isFalse();
        assertThat(last.comesBefore(9, 1_002)).as("the same number again").isFalse();
        assertThat(last.comesBefore(10, 999)).as("a server that forgot").isFalse();
        assertThat(last.comesBefore(10, 0)).as("an old server does not tell").isFalse();
    }

    @Test
    void where_the_numbers_end_none_comes_next() {
        Last last = new Last(Line.LAST_SEQUENCE - 1, 1_000, 0, true);

        assertThat(last.comesBefore(Line.LAST_SEQUENCE, 1_002)).isFalse();
    }

    @Test
    void as_many_folders_are_remembered_as_were_used_lately() {
        LastPlaces places = new LastPlaces();
        Last last = new Last(5, 100, 0, true);
        for (int i = 0; i <= LastPlaces.MOST_FOLDERS; i++) {
            places.left(folder(i), last);
        }

        assertThat(places.alone(folder(0))).isFalse();
        assertThat(places.alone(folder(1))).isTrue();
        assertThat(places.before(new Session.Created("/x/x-me-0000000006", 102), folder(1)))
                .isEqualTo(last);
        assertThat(places.alone(folder(1))).as("concluded from once").isFalse();
        places.forget(folder(2));
        assertThat(places.alone(folder(2))).isFalse();
        assertThat(places.before(new Session.Created("/x/x-me-0000000006", 102), folder(0)))
                .isNull();
    }

    private static Folder folder(int number) {
        return Folder.of("/hasp", new LockName("lock" + number));
    }
}
