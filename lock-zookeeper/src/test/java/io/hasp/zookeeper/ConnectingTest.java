package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Signal;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ways to connect to a server, and the failures when none answers. */
class ConnectingTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains(":1)") || name.contains("hasp") || name.contains("urator"))
                .collect(Collectors.toSet());
    }

    @Test
    void no_answer_is_a_failure_in_time_that_names_the_servers_and_leaves_no_thread() {
        long started = System.nanoTime();

        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> Probe.connect("zookeeper://127.0.0.1:1?connectionTimeout=700ms"))
                .withMessageContaining("127.0.0.1:1")
                .withMessageContaining("700 ms")
                .satisfies(failure -> {
                    assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE);
                    assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
                });

        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isBetween(Duration.ofMillis(700), Duration.ofSeconds(3));
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void a_server_that_accepts_and_says_nothing_is_no_answer_either_and_takes_no_longer() throws Exception {
        long started = System.nanoTime();
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String uri = "zookeeper://127.0.0.1:" + mute.getLocalPort() + "?connectionTimeout=700ms";

            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> Probe.connect(uri))
                    .withMessageContaining("127.0.0.1:" + mute.getLocalPort());
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .isBetween(Duration.ofMillis(700), Duration.ofSeconds(3));
        }
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void the_engine_finds_the_provider_and_reports_its_errors() {
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> LockClient.connect("zookeeper://127.0.0.1:1?connectionTimeout=500ms"))
                .withMessageContaining("127.0.0.1:1");
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() ->
                        LockClient.connect("zookeeper://" + SERVER.server().connectString() + "?sesionTimeout=3s"))
                .withMessageContaining("sesionTimeout")
                .withMessageContaining("sessionTimeout");
    }

    @Test
    void the_engine_locks_by_a_uri() throws Exception {
        try (LockClient locks =
                LockClient.connect("zookeeper://" + SERVER.server().connectString())) {
            long first;
            try (Lease lease = locks.lock("orders/42").acquire()) {
                first = lease.fencingToken();
                assertThat(SERVER.admin().children("orders/42")).hasSize(1);
            }
            assertThat(SERVER.admin().children("orders/42")).isEmpty();
            try (Lease lease = locks.lock("orders/42").acquire()) {
                assertThat(lease.fencingToken()).isGreaterThan(first);
            }
        }
    }

    @Test
    void locks_below_a_path_are_others_than_those_without() throws Exception {
        try (Probe plain = Probe.connect("zookeeper://" + SERVER.server().connectString());
                Probe below = Probe.connect("zookeeper://" + SERVER.server().connectString() + "/team%20a/b")) {
            assertThat(plain.holder("same").attempt()).isInstanceOf(Attempt.Granted.class);
            assertThat(below.holder("same").attempt()).isInstanceOf(Attempt.Granted.class);
            assertThat(SERVER.admin().client.getChildren("/team a/b/hasp/locks/same", false))
                    .hasSize(1);
        }
    }

    @Test
    void a_client_of_the_users_is_used_below_its_namespace_and_left_open() throws Exception {
        try (CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .namespace("app")
                .retryPolicy(new RetryOneTime(100))
                .build()) {
            client.start();
            client.blockUntilConnected();
            LockClient locks =
                    LockClient.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()), ClientOptions.defaults());
            Lease lease = locks.lock("mine").acquire();
            assertThat(client.getChildren().forPath("/hasp/locks/mine")).hasSize(1);
            assertThat(lease.fencingToken()).isPositive();

            locks.closeNow();

            assertThat(client.getChildren().forPath("/hasp/locks/mine")).isEmpty();
            assertThat(client.getZookeeperClient().isConnected()).isTrue();
        }
    }

    private static CuratorFramework unstarted() {
        return CuratorFrameworkFactory.builder()
                .connectString(SERVER.server().connectString())
                .sessionTimeoutMs(12_000)
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .build();
    }

    @Test
    void a_client_of_the_users_that_was_not_started_or_is_closed_is_refused() {
        CuratorFramework client = unstarted();
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.over(
                        ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()), ClientOptions.defaults()))
                .withMessageContaining("not started");
        client.start();
        client.close();
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.over(
                        ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()), ClientOptions.defaults()))
                .withMessageContaining("closed");
    }

    @Test
    void le6_a_client_of_the_users_that_is_closed_first_loses_its_locks_at_once() throws Exception {
        CuratorFramework client = unstarted();
        client.start();
        client.blockUntilConnected();
        try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()));
                Probe other = Probe.connect("zookeeper://" + SERVER.server().connectString())) {
            Probe.Holder holder = probe.holder("closed-first");
            holder.granted();
            Probe.Holder waiter = probe.holder("closed-first");
            waiter.attempt();

            client.close();

            assertThat(holder.signals).contains(Signal.LOST);
            assertThat(other.holder("closed-first").waited().token()).isPositive();
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(waiter::attempt)
                    .withMessageContaining("closed");
        }
    }

    /** Such a view does not report that its client is closed; the handle does. */
    @Test
    void le6_a_namespace_view_of_a_client_that_is_closed_first_loses_its_locks() throws Exception {
        CuratorFramework client = unstarted();
        client.start();
        client.blockUntilConnected();
        try (Probe probe = Probe.over(ZooKeeperBackend.on(client.usingNamespace("view"), ZooKeeperLocks.defaults()))) {
            Probe.Holder holder = probe.holder("closed-first");
            holder.granted();
            assertThat(SERVER.admin().client.getChildren("/view/hasp/locks/closed-first", false))
                    .hasSize(1);

            client.close();

            holder.awaitSignal(Signal.LOST);
        }
    }

    @Test
    void a_chroot_of_the_users_client_is_kept() throws Exception {
        SERVER.admin()
                .client
                .create(
                        "/root",
                        new byte[0],
                        org.apache.zookeeper.ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        org.apache.zookeeper.CreateMode.PERSISTENT);
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(SERVER.server().connectString() + "/root", new RetryOneTime(100))) {
            client.start();
            client.blockUntilConnected();
            try (Probe probe = Probe.over(ZooKeeperBackend.on(client, ZooKeeperLocks.defaults()))) {
                Probe.Holder holder = probe.holder("rooted");
                holder.granted();
                assertThat(SERVER.admin().client.getChildren("/root/hasp/locks/rooted", false))
                        .hasSize(1);
                Probe.Holder waiter = probe.holder("rooted");
                assertThat(waiter.attempt()).isInstanceOf(Attempt.Busy.class);
                holder.release();
                assertThat(waiter.waited().token()).isPositive();
            }
        }
    }

    @Test
    void fa12_locks_of_the_creator_are_denied_to_others() {
        String host = SERVER.server().connectString();
        try (Probe alice = Probe.connect("zookeeper://alice:secret@" + host + "/private?acl=creator");
                Probe bob = Probe.connect("zookeeper://bob:other@" + host + "/private?acl=creator")) {
            Probe.Holder holder = alice.holder("diary");
            holder.granted();

            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> bob.holder("diary").attempt())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.DENIED));

            assertThat(holder.release()).isEqualTo(io.hasp.spi.Released.RELEASED);
        }
    }

    @Test
    void ap6_a_closed_backend_answers_with_a_failure() {
        Probe probe = Probe.connect("zookeeper://" + SERVER.server().connectString());
        Probe.Holder holder = probe.holder("closing");
        holder.granted();
        probe.close();

        assertThatExceptionOfType(BackendFailure.class).isThrownBy(holder::attempt);
        await().untilAsserted(
                        () -> assertThat(SERVER.admin().children("closing")).isEmpty());
        await().untilAsserted(() -> assertThat(threads()).hasSizeLessThanOrEqualTo(2));
    }

    /** Curator reports its connection on a thread of its own, also in the midst of opening. */
    @Test
    void a_connection_that_comes_while_the_backend_is_opened_does_no_harm() throws Exception {
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(SERVER.server().connectString(), new RetryOneTime(100))) {
            client.start();
            client.blockUntilConnected();
            CuratorFramework eager = tellingAtOnce(client);
            try (Probe probe = Probe.over(ZooKeeperBackend.on(eager, ZooKeeperLocks.defaults()))) {
                assertThat(probe.holder("eager").attempt()).isInstanceOf(Attempt.Granted.class);
            }
        }
    }

    /** Notifies a listener of the connection while it is added. */
    private static CuratorFramework tellingAtOnce(CuratorFramework client) {
        Object listeners = client.getConnectionStateListenable();
        Object eager = proxy(Listenable.class, (proxy, method, arguments) -> {
            if (method.getName().equals("addListener")) {
                ((ConnectionStateListener) arguments[0]).stateChanged(client, ConnectionState.RECONNECTED);
            }
            return method.invoke(listeners, arguments);
        });
        return (CuratorFramework) proxy(
                CuratorFramework.class,
                (proxy, method, arguments) -> method.getName().equals("getConnectionStateListenable")
                        ? eager
                        : method.invoke(client, arguments));
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }
}
