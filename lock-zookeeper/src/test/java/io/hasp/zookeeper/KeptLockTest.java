package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ZooKeeperSessions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lock on a real server stays with its client after a release, until another client wants it. */
@InTier(Tier.STANDARD)
class KeptLockTest {
    private static final int SESSION_MILLIS = 15_000;
    /** As long as the session allows: what ends a kept lock in these tests is not its time. */
    private static final Duration KEEP = Duration.ofMillis(3_300);
    /** Well before the time is over for which a lock is kept. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private LockClient keeper;
    private LockClient other;
    private String lock;

    @BeforeEach
    void open(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
        keeper = LockClient.connect(URI.create(uri()), keeping());
        other = LockClient.connect(uri() + "?commandTimeout=1s");
    }

    private static String uri() {
        return "zookeeper://" + SERVER.server().connectString();
    }

    private ClientOptions keeping() {
        return ClientOptions.defaults().keep(KEEP).addListener(events::add);
    }

    @AfterEach
    void nothing_is_left() {
        keeper.close();
        other.close();
        await().untilAsserted(() -> {
            assertThat(SERVER.admin().watches()).isZero();
            assertThat(SERVER.admin().ephemerals()).isZero();
        });
    }

    private long used() throws InterruptedException {
        return used(keeper);
    }

    private long used(LockClient client) throws InterruptedException {
        try (Lease lease = client.lock(lock).acquire()) {
            return lease.fencingToken();
        }
    }

    private void awaitFree() {
        await().atMost(AT_ONCE)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(SERVER.admin().children(lock)).isEmpty());
    }

    @Test
    void a_lock_that_nobody_else_wants_is_used_again_without_a_request() throws Exception {
        long first = used();
        long before = SERVER.admin().packets();
        for (int i = 1; i <= 100; i++) {
            assertThat(used()).isEqualTo(first + i);
        }

        assertThat(SERVER.admin().packets() - before)
                .as("requests, with pings, heartbeats and the question itself")
                .isLessThan(10);
        assertThat(SERVER.admin().children(lock)).singleElement().asString().startsWith("x-k-");
    }

    @Test
    void a_use_of_a_kept_lock_ends_when_its_grant_does() throws Exception {
        Duration first;
        try (Lease lease = keeper.lock(lock).acquire()) {
            first = lease.remaining();
        }
        try (Lease lease = keeper.lock(lock).acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(first);
        }
    }

    @Test
    void a_waiter_of_another_client_gets_at_once_a_lock_that_is_only_kept() throws Exception {
        long first = used();

        try (Lease lease = other.lock(lock).tryAcquire(AT_ONCE).orElseThrow()) {
            assertThat(lease.fencingToken()).isGreaterThan(first + 255);
        }

        assertThat(used()).isGreaterThan(first + 255);
    }

    @Test
    void a_try_of_another_client_gets_a_lock_that_is_only_kept() throws Exception {
        used();

        try (Lease lease = other.lock(lock).tryAcquire().orElseThrow()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void a_try_of_a_client_that_keeps_itself_gets_it_too() throws Exception {
        used();
        try (LockClient second = LockClient.connect(URI.create(uri()), keeping())) {
            assertThat(second.lock(lock).tryAcquire().orElseThrow().release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void a_try_finds_a_lock_that_is_in_use_busy_within_what_it_waits_for_an_answer() throws Exception {
        try (Lease lease = keeper.lock(lock).acquire()) {
            long begun = System.nanoTime();
            assertThat(other.lock(lock).tryAcquire()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(35), AT_ONCE);
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        awaitFree();
    }

    @Test
    void a_lock_in_use_says_so_and_goes_back_to_the_server_at_its_release() throws Exception {
        CompletableFuture<Lease> waiter;
        try (Lease lease = keeper.lock(lock).acquire()) {
            waiter = other.lock(lock).acquireAsync();
            await().untilAsserted(
                            () -> assertThat(SERVER.admin().data(lock, kept())).endsWith("|returns"));
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(waiter).isNotDone();
        }

        waiter.get(1, TimeUnit.SECONDS).release();

        assertThat(events).noneMatch(LockEvent.Kept.class::isInstance).anyMatch(LockEvent.Recalled.class::isInstance);
        awaitFree();
        used();
        assertThat(kept()).as("kept again").isNotEmpty();
    }

    private String kept() throws Exception {
        return SERVER.admin().children(lock).stream()
                .filter(child -> child.startsWith("x-k-"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void closing_gives_a_kept_lock_back() throws Exception {
        used();
        keeper.close();

        assertThat(SERVER.admin().children(lock)).isEmpty();
    }

    @Test
    void a_session_that_ends_takes_a_kept_lock_with_it() throws Exception {
        try (CuratorFramework curator = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .sessionTimeoutMs(SESSION_MILLIS)
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            curator.start();
            curator.blockUntilConnected();
            ZooKeeper session = curator.getZookeeperClient().getZooKeeper();
            try (LockClient client =
                    LockClient.over(ZooKeeperBackend.on(curator, ZooKeeperLocks.defaults()), keeping())) {
                long first = used(client);
                assertThat(kept()).isNotEmpty();

                ZooKeeperSessions.expire(
                        SERVER.server().connectString(), session.getSessionId(), session.getSessionPasswd());

                awaitFree();
                await().ignoreExceptionsInstanceOf(BackendException.class)
                        .untilAsserted(() -> assertThat(used(client)).isGreaterThan(first + 255));
            }
        }
    }

    @Test
    void an_administrator_may_delete_what_is_kept() throws Exception {
        long first = used();
        SERVER.admin().delete(lock, kept());
        await().untilAsserted(() -> assertThat(events).anyMatch(LockEvent.Recalled.class::isInstance));

        assertThat(used()).isGreaterThan(first + 255);
    }

    @Test
    void an_administrator_that_deletes_a_lock_in_use_ends_its_lease() throws Exception {
        Lease lease = keeper.lock(lock).acquire();
        SERVER.admin().delete(lock, kept());
        await().atMost(AT_ONCE).until(() -> lease.state() == LeaseState.LOST);
    }

    @Test
    void another_client_s_floor_is_above_all_later_tokens() throws Exception {
        long floor = used() + 1_000_000;
        other.lock(lock).raiseTokenFloor(floor);
        assertThat(used()).isGreaterThan(floor);
        try (Lease lease = keeper.lock(lock).acquire()) {
            other.lock(lock).raiseTokenFloor(2 * floor);
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(used()).isGreaterThan(2 * floor);
        deleteFloors();
    }

    @Test
    void an_own_floor_is_above_all_later_tokens() throws Exception {
        long floor = used() + 1_000_000;
        keeper.lock(lock).raiseTokenFloor(floor);
        assertThat(used()).isGreaterThan(floor);
        try (Lease lease = keeper.lock(lock).acquire()) {
            keeper.lock(lock).raiseTokenFloor(2 * floor);
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(used()).isGreaterThan(2 * floor);
        deleteFloors();
    }

    private void deleteFloors() throws Exception {
        for (String child : SERVER.admin().children(lock)) {
            if (child.startsWith("floor-")) {
                SERVER.admin().delete(lock, child);
            }
        }
    }

    @Test
    void a_kept_lock_is_given_back_when_its_time_is_over() throws Exception {
        used();
        await().atMost(KEEP.plus(AT_ONCE))
                .untilAsserted(() -> assertThat(SERVER.admin().children(lock)).isEmpty());
    }

    @Test
    void ap3_keeping_for_more_than_a_third_of_the_session_is_refused() {
        String uri = uri() + "?sessionTimeout=6s&keep=";
        assertThatThrownBy(() -> LockClient.connect(uri + "2001ms"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("keep is PT2.001S: it must be at most PT2S, a third of the session timeout");
        LockClient.connect(uri + "2s").close();
    }
}
