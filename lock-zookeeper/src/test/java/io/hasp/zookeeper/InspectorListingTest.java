package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.zookeeper.recipe.LockFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

/** Listings of many locks in pages. */
class InspectorListingTest extends TwoClientsFixture {
    private static final int MANY = 250;
    private static final String LONG = "a/long name ".repeat(20);

    @Override
    String sessionTimeout() {
        return "60s";
    }

    private void hold(Probe client, List<String> names) {
        List<CompletionStage<Attempt>> all =
                names.stream().map(name -> client.holder(name).start()).toList();
        all.forEach(each -> assertThat(Probe.await(each)).isInstanceOf(Attempt.Granted.class));
    }

    private static List<String> numbered(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toList();
    }

    private static List<String> listed(Probe client, String prefix) {
        List<String> names = new ArrayList<>();
        String cursor = "";
        do {
            Inspector.Page page = client.list(prefix, cursor);
            assertThat(page.locks()).hasSizeLessThanOrEqualTo(Inspector.MOST_ON_A_PAGE);
            page.locks().forEach(lock -> names.add(lock.name().value()));
            cursor = page.next();
        } while (!cursor.isEmpty());
        return names;
    }

    @Test
    void an_ensemble_without_any_lock_has_an_empty_page() {
        await().until(() -> SERVER.admin().client.exists("/nothing", false) == null);
        try (Probe elsewhere = Probe.connect("zookeeper://" + address() + "/elsewhere?sessionTimeout=60s")) {
            assertThat(elsewhere.list("", "")).isEqualTo(new Inspector.Page(List.of(), ""));
        }
    }

    @Test
    void every_lock_that_is_held_is_on_one_page_by_its_true_name() throws Exception {
        List<String> names = new ArrayList<>(numbered("order/", MANY));
        names.addAll(List.of("other", ".", "..", "zookeeper", "ä|%", LONG + "1", LONG + "2"));
        hold(a, names);
        a.holder("free").granted();
        for (String foreign : List.of("fremd lock", "%2f", "x!" + "0".repeat(64))) {
            SERVER.admin()
                    .client
                    .create(
                            ZooKeeperLocks.DEFAULT_ROOT + "/" + foreign,
                            new byte[0],
                            ZooDefs.Ids.OPEN_ACL_UNSAFE,
                            CreateMode.CONTAINER);
        }
        Probe.Holder gone = b.holder("empty folder");
        gone.granted();
        gone.release();
        names.add("free");

        assertThat(listed(b, "")).containsExactlyInAnyOrderElementsOf(names);
        assertThat(listed(b, "order/")).hasSize(MANY);
        assertThat(listed(b, "order/1")).hasSize(1 + 10 + 100);
        assertThat(listed(b, "Order")).isEmpty();
        assertThat(listed(b, "ä|")).containsExactly("ä|%");
        assertThat(listed(b, "zoo")).containsExactly("zookeeper");
        assertThat(listed(b, ".")).containsExactlyInAnyOrder(".", "..");
        assertThat(listed(b, "a/long name ")).containsExactlyInAnyOrder(LONG + "1", LONG + "2");
        assertThat(listed(b, LONG + "2")).containsExactly(LONG + "2");
        assertThat(b.find(LONG + "1").name()).isEqualTo(new LockName(LONG + "1"));
    }

    @Test
    void a_folder_that_goes_and_one_that_comes_between_two_pages_disturb_no_page() throws Exception {
        List<Probe.Holder> holders =
                numbered("pages-", MANY).stream().map(name -> a.holder(name)).toList();
        holders.forEach(holder -> holder.granted());
        Inspector.Page first = b.list("pages-", "");
        assertThat(first.locks()).hasSize(Inspector.MOST_ON_A_PAGE);
        List<String> seen = new ArrayList<>(
                first.locks().stream().map(lock -> lock.name().value()).toList());
        Probe.Holder goes = holders.stream()
                .filter(holder -> !seen.contains(holder.claim.name().value()))
                .findFirst()
                .orElseThrow();
        goes.release();
        SERVER.admin().client.delete(ServerAdmin.folder(goes.claim.name().value()), -1);
        a.holder("pages-new").granted();

        Inspector.Page second = b.list("pages-", first.next());
        Inspector.Page third = b.list("pages-", second.next());

        second.locks().forEach(lock -> seen.add(lock.name().value()));
        third.locks().forEach(lock -> seen.add(lock.name().value()));
        assertThat(third.next()).isEmpty();
        assertThat(seen)
                .doesNotHaveDuplicates()
                .hasSize(MANY - 1)
                .doesNotContain(goes.claim.name().value());
        assertThat(listed(b, "pages-new")).hasSize(1);
    }

    @Test
    void a_page_is_read_behind_a_cursor_of_another_client_and_behind_one_whose_folder_is_gone() throws Exception {
        hold(a, numbered("cursor-", 120));
        Inspector.Page first = a.list("cursor-", "");
        assertThat(b.list("cursor-", first.next()).locks()).hasSize(20);
        assertThat(b.list("cursor-", "cursor-1195").locks()).isNotEmpty();
        assertThat(b.list("cursor-", "zzz")).isEqualTo(new Inspector.Page(List.of(), ""));
    }

    @Test
    void a_new_listing_shows_locks_that_are_newer_than_the_listing_before() {
        hold(a, numbered("again-", 120));
        assertThat(b.list("again-", "").next()).isNotEmpty();
        hold(a, List.of("again-0-newer"));
        assertThat(listed(b, "again-")).contains("again-0-newer").hasSize(121);
    }

    @Test
    void a_page_that_is_asked_for_much_later_is_from_a_new_listing() {
        hold(a, numbered("late-", 120));
        Inspector.Page first = b.list("late-", "");
        hold(a, List.of("late-zzz"));
        b.passes(Duration.ofMinutes(2));
        assertThat(b.list("late-", first.next()).locks())
                .anyMatch(lock -> lock.name().value().equals("late-zzz"));
    }

    @Test
    void a_list_that_may_be_too_long_for_an_applications_client_is_refused_and_its_locks_are_kept() throws Exception {
        ZKClientConfig small = new ZKClientConfig();
        small.setProperty(ZKClientConfig.JUTE_MAXBUFFER, "4000");
        ZooKeeperLocks crowd =
                new ZooKeeperLocks("/crowd/hasp/locks", ZooDefs.Ids.OPEN_ACL_UNSAFE, Duration.ofSeconds(5));
        try (Probe others = Probe.connect("zookeeper://" + address() + "/crowd?sessionTimeout=60s");
                CuratorFramework client = CuratorFrameworkFactory.builder()
                        .connectString(address())
                        .retryPolicy(new RetryOneTime(100))
                        .zkClientConfig(small)
                        .build()) {
            hold(others, numbered("crowd-", 40));
            client.start();
            await().until(client.getZookeeperClient()::isConnected);
            ZooKeeper session = client.getZookeeperClient().getZooKeeper();
            try (Probe probe = Probe.over(ZooKeeperBackend.on(client, crowd))) {
                Grant grant = probe.holder("crowd-own").granted();

                assertThatExceptionOfType(BackendFailure.class)
                        .isThrownBy(() -> probe.list("", ""))
                        .withMessageContaining("41 children")
                        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.INCOMPATIBLE));

                assertThat(probe.find("crowd-own").newestToken()).isEqualTo(grant.token());
                assertThat(client.getZookeeperClient().getZooKeeper()).isSameAs(session);
            }
        }
    }

    @Test
    void a_folder_that_may_not_be_read_fails_the_page_and_names_itself() throws Exception {
        try (Probe alice = Probe.connect("zookeeper://alice:secret@" + address() + "?sessionTimeout=60s")) {
            alice.holder("secret lock").granted();

            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> b.list("secret", ""))
                    .withMessageContaining(LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("secret lock"))
                            .path())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED));
            assertThat(listed(alice, "secret")).containsExactly("secret lock");
        }
        try {
            SERVER.admin().client.delete(ServerAdmin.folder("secret lock"), -1);
        } catch (KeeperException.NoNodeException removedBefore) {
            // ZooKeeper removes an empty container by itself.
        }
    }
}
