package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Many locks of one client whose nodes are created and deleted in one transaction, because answers are held back while the calls are made.
 * Each lock behaves as if it were alone.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class CombinedRequestsTest {
    private static final int LOCKS = 20;

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private String lock;
    private FaultProxy proxy;
    private Probe probe;
    private List<Probe.Holder> holders;

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        proxy = FaultProxy.before(SERVER.server().port());
        probe = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=20s&commandTimeout=20s");
        newHolders();
        holders.forEach(holder -> assertThat(holder.granted().token()).isPositive());
        holders.forEach(Probe.Holder::release);
        newHolders();
    }

    @AfterEach
    void nothing_is_left() {
        probe.close();
        proxy.close();
        await().untilAsserted(() -> {
            assertThat(SERVER.admin().watches()).isZero();
            assertThat(SERVER.admin().ephemerals()).isZero();
        });
    }

    private void newHolders() {
        holders =
                IntStream.range(0, LOCKS).mapToObj(i -> probe.holder(lock + i)).toList();
    }

    private List<CompletionStage<Attempt>> acquireTogether() {
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        return holders.stream().map(Probe.Holder::start).toList();
    }

    private List<Grant> grantedTogether() {
        List<CompletionStage<Attempt>> attempts = acquireTogether();
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);
        return attempts.stream().map(CombinedRequestsTest::grant).toList();
    }

    private static Grant grant(CompletionStage<Attempt> attempt) {
        Attempt answer = Probe.await(attempt);
        assertThat(answer).isInstanceOf(Attempt.Granted.class);
        return ((Attempt.Granted) answer).grant();
    }

    private List<CompletionStage<Released>> releaseTogether() {
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        return holders.stream()
                .map(holder -> probe.backend.release(holder.claim))
                .toList();
    }

    private String onlyChild(int number) throws Exception {
        return onlyChild(lock + number);
    }

    private static String onlyChild(String name) throws Exception {
        List<String> children = SERVER.admin().children(name);
        assertThat(children).hasSize(1);
        return children.get(0);
    }

    @Test
    void me2_locks_of_one_transaction_are_held_and_have_its_id_as_their_token() throws Exception {
        List<Grant> grants = grantedTogether();

        for (int i = 0; i < LOCKS; i++) {
            assertThat(grants.get(i).token())
                    .isEqualTo(SERVER.admin().stat(lock + i, onlyChild(i)).getCzxid());
        }
        assertThat(grants.stream().map(Grant::token).distinct().count())
                .as("transactions")
                .isLessThan(LOCKS / 2);
        try (Probe other = Probe.connect("zookeeper://" + SERVER.server().connectString())) {
            for (int i = 0; i < LOCKS; i++) {
                assertThat(other.trier(lock + i).attempt()).isInstanceOf(Attempt.Busy.class);
            }
        }
        List<CompletionStage<Released>> released = releaseTogether();
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);
        released.forEach(each -> assertThat(Probe.await(each)).isEqualTo(Released.RELEASED));
    }

    @Test
    void fe1_holders_of_one_lock_that_ask_together_have_tokens_in_their_order() {
        List<Probe.Holder> queue =
                IntStream.range(0, LOCKS).mapToObj(i -> probe.holder(lock)).toList();
        proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
        queue.forEach(Probe.Holder::start);
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        List<Long> tokens = new ArrayList<>();
        List<Probe.Holder> left = new ArrayList<>(queue);
        while (!left.isEmpty()) {
            Probe.Holder first = left.stream()
                    .filter(each -> each.attempt() instanceof Attempt.Granted)
                    .findFirst()
                    .orElse(null);
            if (first != null) {
                tokens.add(first.granted().token());
                assertThat(first.release()).isEqualTo(Released.RELEASED);
                left.remove(first);
            }
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** The deletion goes first, whichever was asked for first, so the creation in the same transaction makes the first node. */
    @Test
    void me2_a_holder_that_comes_with_the_end_of_the_last_one_is_the_only_one() throws Exception {
        int together = 0;
        try (Probe other = Probe.connect("zookeeper://" + SERVER.server().connectString())) {
            Probe.Holder last = probe.holder(lock);
            long token = last.granted().token();
            for (int i = 0; i < 20; i++) {
                Probe.Holder next = probe.holder(lock);
                newHolders();
                proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
                CompletionStage<Attempt> others = holders.get(0).start();
                CompletionStage<Attempt> underWay = holders.get(1).start();
                CompletionStage<Released> released = i % 2 == 0 ? probe.backend.release(last.claim) : null;
                CompletionStage<Attempt> attempt = next.start();
                released = released == null ? probe.backend.release(last.claim) : released;
                proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

                assertThat(Probe.await(released)).isEqualTo(Released.RELEASED);
                together += i % 2 == 1 && Probe.await(attempt) instanceof Attempt.Granted ? 1 : 0;
                long nextToken = next.waited().token();
                assertThat(nextToken).isGreaterThan(token);
                assertThat(nextToken)
                        .isEqualTo(SERVER.admin().stat(lock, onlyChild(lock)).getCzxid());
                assertThat(other.trier(lock).attempt()).isInstanceOf(Attempt.Busy.class);
                grant(others);
                grant(underWay);
                holders.forEach(Probe.Holder::release);
                last = next;
                token = nextToken;
            }
        }
        assertThat(together).as("creations that a later deletion went before").isPositive();
    }

    @Test
    void a_folder_that_is_gone_is_created_and_the_others_are_not_disturbed() throws Exception {
        SERVER.admin().client.delete(ServerAdmin.folder(lock + 7), -1);
        SERVER.admin().client.delete(ServerAdmin.folder(lock + 12), -1);

        List<Grant> grants = grantedTogether();

        for (int i = 0; i < LOCKS; i++) {
            assertThat(grants.get(i).token())
                    .isEqualTo(SERVER.admin().stat(lock + i, onlyChild(i)).getCzxid());
        }
    }

    @Test
    void le6_a_node_that_is_gone_was_not_released_and_the_others_were() throws Exception {
        grantedTogether();
        SERVER.admin().delete(lock + 7, onlyChild(7));
        SERVER.admin().delete(lock + 12, onlyChild(12));

        List<CompletionStage<Released>> released = releaseTogether();
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        for (int i = 0; i < LOCKS; i++) {
            assertThat(Probe.await(released.get(i)))
                    .isEqualTo(i == 7 || i == 12 ? Released.NOT_HELD : Released.RELEASED);
            assertThat(SERVER.admin().children(lock + i)).isEmpty();
        }
    }

    @Test
    void fa12_a_folder_without_the_permission_is_denied_and_the_others_are_granted() throws Exception {
        SERVER.admin().client.setACL(ServerAdmin.folder(lock + 7), ZooDefs.Ids.READ_ACL_UNSAFE, -1);

        List<CompletionStage<Attempt>> attempts = acquireTogether();
        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        onlyOneFails(attempts, 7, BackendFailure.Kind.DENIED);
    }

    @Test
    void a_folder_whose_quota_is_used_up_is_refused_and_the_others_are_granted() throws Exception {
        try (ZooKeeperServer strict = ZooKeeperServer.start("enforceQuota=true");
                ServerAdmin admin = ServerAdmin.connect(strict)) {
            proxy.leadTo(strict.port());
            proxy.cut(ConnectionEnd.RST);
            Probe client = Probe.connect("zookeeper://127.0.0.1:" + proxy.port() + "?commandTimeout=20s");
            List<Probe.Holder> warm = IntStream.range(0, LOCKS)
                    .mapToObj(i -> client.holder(lock + i))
                    .toList();
            warm.forEach(Probe.Holder::granted);
            warm.forEach(Probe.Holder::release);
            limitToNoChild(admin, ServerAdmin.folder(lock + 7));

            proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
            List<CompletionStage<Attempt>> attempts = IntStream.range(0, LOCKS)
                    .mapToObj(i -> client.holder(lock + i).start())
                    .toList();
            proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

            onlyOneFails(attempts, 7, BackendFailure.Kind.INCOMPATIBLE);
            client.close();
            proxy.leadTo(SERVER.server().port());
            proxy.cut(ConnectionEnd.RST);
        }
    }

    /** The quota counts the folder itself, too. */
    private static void limitToNoChild(ServerAdmin admin, String folder) throws Exception {
        String quota = "/zookeeper/quota";
        for (String level : folder.substring(1).split("/")) {
            quota += "/" + level;
            createPersistent(admin, quota, new byte[0]);
        }
        StatsTrack limit = new StatsTrack();
        limit.setCountHardLimit(1);
        createPersistent(admin, quota + "/zookeeper_limits", limit.getStatsBytes());
        createPersistent(admin, quota + "/zookeeper_stats", new StatsTrack().getStatsBytes());
    }

    private static void createPersistent(ServerAdmin admin, String path, byte... data) throws Exception {
        admin.client.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static void onlyOneFails(List<CompletionStage<Attempt>> attempts, int number, BackendFailure.Kind kind) {
        for (int i = 0; i < attempts.size(); i++) {
            CompletionStage<Attempt> attempt = attempts.get(i);
            if (i == number) {
                assertThatExceptionOfType(BackendFailure.class)
                        .isThrownBy(() -> Probe.await(attempt))
                        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(kind));
            } else {
                assertThat(grant(attempt).token()).isPositive();
            }
        }
    }

    /** Servers end the connection of a client that sends more than a megabyte at once. */
    @Test
    void locks_with_a_long_access_list_are_created_in_several_transactions() {
        List<ACL> acl = new ArrayList<>(ZooDefs.Ids.OPEN_ACL_UNSAFE);
        for (int i = 0; i < 1_500; i++) {
            acl.add(new ACL(ZooDefs.Perms.ALL, new Id("digest", "user" + i + ":" + "x".repeat(28))));
        }
        ZooKeeperConfig config = ZooKeeperConfig.of(URI.create("zookeeper://127.0.0.1:" + proxy.port() + "/" + lock));
        ZooKeeperLocks locks = new ZooKeeperLocks(config.locks().root(), acl, Duration.ofMinutes(1));
        try (Probe many = Probe.over(ZooKeeperBackend.by(new ZooKeeperConfig(
                config.servers(),
                locks,
                config.sessionTimeout(),
                config.connectionTimeout(),
                config.digest(),
                config.provider(),
                config.tls())))) {
            for (int round = 0; round < 2; round++) {
                holders = IntStream.range(0, LOCKS)
                        .mapToObj(i -> many.holder(lock + i))
                        .toList();
                assertThat(grantedTogether()).hasSize(LOCKS);
                holders.forEach(Probe.Holder::release);
            }
        }
    }

    @Test
    void zk3_creations_whose_answer_is_lost_are_ambiguous_and_each_makes_one_node() throws Exception {
        List<CompletionStage<Attempt>> attempts = acquireTogether();
        await().untilAsserted(() -> {
            for (int i = 0; i < LOCKS; i++) {
                assertThat(SERVER.admin().children(lock + i)).hasSize(1);
            }
        });

        proxy.cut(ConnectionEnd.RST);
        proxy.heal();

        for (CompletionStage<Attempt> attempt : attempts) {
            ProxiedClientFixture.unknown(attempt);
        }
        for (int i = 0; i < LOCKS; i++) {
            Grant grant = holders.get(i).granted();
            assertThat(grant.token())
                    .isEqualTo(SERVER.admin().stat(lock + i, onlyChild(i)).getCzxid());
        }
    }

    @Test
    void zk3_creations_that_are_lost_themselves_are_made_up_for_once() throws Exception {
        proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
        List<CompletionStage<Attempt>> attempts =
                holders.stream().map(Probe.Holder::start).toList();
        await().until(() -> proxy.dropped(Direction.REQUESTS) > 0);
        proxy.cut(ConnectionEnd.RST);
        proxy.heal();

        for (int i = 0; i < LOCKS; i++) {
            assertThat(attempts.get(i)).isNotNull();
            assertThat(holders.get(i).granted().token()).isPositive();
            assertThat(SERVER.admin().children(lock + i)).hasSize(1);
        }
    }

    @Test
    void zk8_deletions_whose_answer_is_lost_are_repeated_until_they_are_certain() throws Exception {
        grantedTogether();
        List<CompletionStage<Released>> released = releaseTogether();
        await().untilAsserted(() -> assertThat(SERVER.admin().ephemerals()).isZero());

        proxy.cut(ConnectionEnd.RST);
        proxy.heal();

        for (CompletionStage<Released> each : released) {
            ProxiedClientFixture.unknown(each);
        }
        newHolders();
        holders.forEach(holder -> assertThat(holder.granted().token()).isPositive());
    }

    @Test
    void li4_calls_that_are_given_up_while_they_are_collected_leave_nothing() {
        acquireTogether();
        List<CompletionStage<Released>> withdrawn = holders.stream()
                .map(holder -> probe.backend.release(holder.claim))
                .toList();

        proxy.set(Direction.REPLIES, TrafficPolicy.PASS);

        withdrawn.forEach(each -> assertThat(Probe.await(each)).isNotNull());
        await().untilAsserted(() -> assertThat(SERVER.admin().ephemerals()).isZero());
    }

    @Test
    void ap6_a_client_that_is_closed_while_requests_are_collected_leaves_nothing_in_the_applications_session()
            throws Exception {
        try (CuratorFramework curator =
                CuratorFrameworkFactory.newClient("127.0.0.1:" + proxy.port(), 40_000, 10_000, new RetryForever(100))) {
            curator.start();
            assertThat(curator.blockUntilConnected(10, TimeUnit.SECONDS)).isTrue();
            for (boolean held : List.of(false, true)) {
                Probe lent = Probe.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()));
                List<Probe.Holder> all = IntStream.range(0, LOCKS)
                        .mapToObj(i -> lent.holder(lock + i))
                        .toList();
                if (held) {
                    all.forEach(holder -> assertThat(holder.granted().token()).isPositive());
                }
                proxy.set(Direction.REPLIES, TrafficPolicy.delayed(Duration.ofMillis(50)));
                all.forEach(held ? holder -> lent.backend.release(holder.claim) : Probe.Holder::start);

                lent.close();

                await().untilAsserted(
                                () -> assertThat(SERVER.admin().ephemerals()).isZero());
                proxy.set(Direction.REPLIES, TrafficPolicy.PASS);
            }
        }
    }

    /** Tokens of a lock rise, whatever its nodes shared transactions with; nothing is left. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void many_cycles_with_faults_leave_nothing_and_tokens_rise() throws Exception {
        int cycles = Tier.count(3_000, 100_000) / LOCKS;
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(LOCKS + 1);
        try {
            List<Future<Long>> users = IntStream.range(0, LOCKS)
                    .mapToObj(i -> threads.submit(() -> cycles(lock + i, cycles)))
                    .toList();
            Future<?> faults = threads.submit(() -> cutAndDelete(over));
            for (Future<Long> user : users) {
                assertThat(user.get(100, TimeUnit.MINUTES)).as("cycles").isEqualTo(cycles);
            }
            over.set(true);
            faults.get(1, TimeUnit.MINUTES);
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
        await().untilAsserted(() -> assertThat(SERVER.admin().ephemerals()).isZero());
    }

    private long cycles(String name, int count) {
        long last = 0;
        for (int i = 0; i < count; i++) {
            Probe.Holder holder = probe.holder(name);
            long token = grantedOrNext(holder, name);
            assertThat(token).as(name).isGreaterThan(last);
            last = token;
        }
        return count;
    }

    /** An administrator may have deleted the node of the holder, or of the one that came after it. */
    private long grantedOrNext(Probe.Holder first, String name) {
        Probe.Holder holder = first;
        while (true) {
            if (holder.answered() instanceof Attempt.Granted granted) {
                releaseCertainly(holder);
                return granted.grant().token();
            }
            releaseCertainly(holder);
            holder = probe.holder(name);
        }
    }

    private static void releaseCertainly(Probe.Holder holder) {
        await().pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(60))
                .ignoreException(BackendFailure.class)
                .until(() -> holder.release() != null);
    }

    /** ZooKeeper's client may wait for a second before it connects again, so most of the time is between two cuts. */
    private Object cutAndDelete(AtomicBoolean over) throws Exception {
        for (int i = 0; !over.get(); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
            String name = lock + i % LOCKS;
            if (i % 100 == 99) {
                proxy.cut(ConnectionEnd.RST);
                proxy.heal();
            } else if (i % 3 == 0) {
                deleteQuietly(ServerAdmin.folder(name));
            } else {
                for (String child : SERVER.admin().children(name)) {
                    deleteQuietly(ServerAdmin.folder(name) + "/" + child);
                }
            }
        }
        return over;
    }

    private static void deleteQuietly(String path) throws Exception {
        try {
            SERVER.admin().client.delete(path, -1);
        } catch (KeeperException.NoNodeException | KeeperException.NotEmptyException inUse) {
            // As often as not.
        }
    }
}
