package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.operators.Findings;
import io.hasp.zookeeper.operators.PermissionChecks;
import io.hasp.zookeeper.operators.TreeChecks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The checks of servers for operators: each of them finds what it is for. */
@InTier(Tier.STANDARD)
class ZooKeeperDiagnosisTest {
    private static final List<ACL> OPEN = ZooDefs.Ids.OPEN_ACL_UNSAFE;

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static String uri(String path) {
        return "zookeeper://" + SERVER.server().connectString() + path;
    }

    private static Finding finding(String uri, String check) {
        List<Finding> all = LockClient.diagnose(uri);
        return all.stream()
                .filter(each -> each.check().equals(check))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + check + " in " + all));
    }

    private static void assertFinding(String uri, String check, Level level, String text) {
        Finding found = finding(uri, check);
        assertThat(found.text()).contains(text);
        assertThat(found.level()).as(found.text()).isEqualTo(level);
        assertThat(found.page()).isEqualTo("guarantees/zookeeper.md");
    }

    private static void create(String path, CreateMode mode, byte... data) throws Exception {
        SERVER.admin().client.create(path, data, OPEN, mode);
    }

    @Test
    void a_good_server_has_no_finding_to_act_on_and_nothing_is_left_on_it() throws Exception {
        int before = SERVER.admin().ephemerals();
        String uri = uri("/good?sessionTimeout=10s");

        List<Finding> findings = LockClient.diagnose(uri);

        assertThat(findings)
                .allSatisfy(each -> assertThat(each.level()).as(each.text()).isEqualTo(Level.OK));
        assertThat(findings)
                .map(Finding::check)
                .containsExactly(
                        "server " + SERVER.server().connectString(),
                        "connection",
                        "mode",
                        "session timeout",
                        "round trip",
                        "root",
                        "permission to create",
                        "permission to read",
                        "permission to write",
                        "clock",
                        "permission to delete",
                        "quota",
                        "number of locks",
                        "permissions of locks",
                        "layout");
        assertThat(findings.get(0).text()).matches("version 3\\.\\d+\\.\\d+, standalone");
        await().untilAsserted(() -> assertThat(SERVER.admin().ephemerals()).isEqualTo(before));
        assertThat(SERVER.admin().client.getChildren("/good/hasp/locks", false)).isEmpty();
    }

    @Test
    void a_server_that_does_not_answer_is_a_finding() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port())) {
            String address = "127.0.0.1:" + proxy.port();
            proxy.refuse();
            List<Finding> findings = LockClient.diagnose("zookeeper://" + address + "?connectionTimeout=300ms");
            assertThat(findings).map(Finding::check).containsExactly("server " + address, "connection");
            assertThat(findings).map(Finding::level).containsExactly(Level.WARN, Level.FAIL);
            // On a busy machine the time limit may come before the reset.
            assertThat(findings.get(0).text()).containsAnyOf("not reachable", "does not answer");
        }
    }

    @Test
    void a_wrong_uri_is_an_error_of_the_caller() {
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.diagnose(uri("?acl=nobody")))
                .withMessageContaining("acl=nobody");
    }

    @Test
    void a_session_timeout_that_the_server_changes_is_a_warning() {
        assertFinding(
                uri("?sessionTimeout=120s"), "session timeout", Level.WARN, "asked for 120000 ms, granted 60000 ms");
        assertFinding(uri("?sessionTimeout=100ms"), "session timeout", Level.WARN, "granted 1000 ms");
    }

    @Test
    void a_slow_network_is_a_warning() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port())) {
            proxy.set(TrafficPolicy.delayed(Duration.ofMillis(60)));
            assertFinding(
                    "zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=2s", "round trip", Level.WARN, "longer");
        }
    }

    @Test
    void a_member_that_is_down_one_without_a_quorum_and_a_read_only_one_are_warned_of() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(
                "readonlymode.enabled=true", "localSessionsEnabled=true", "localSessionsUpgradingEnabled=true")) {
            ZooKeeperServer first = ensemble.servers().get(0);
            String uri = "zookeeper://" + ensemble.connectString() + "?sessionTimeout=10s";
            // ZooKeeper always answers srvr.
            first.restartWith("4lw.commands.whitelist=ruok", "readonlymode.enabled=false");
            ensemble.awaitServing();
            assertThat(LockClient.diagnose(uri))
                    .filteredOn(each -> each.check().startsWith("server "))
                    .hasSize(3)
                    .allMatch(each -> each.level() == Level.OK)
                    .anyMatch(each -> each.text().endsWith(", leader"))
                    .anyMatch(each -> each.text().endsWith(", follower"));

            ensemble.servers().get(1).kill();
            ensemble.awaitServing();
            assertFinding(uri, "server " + ensemble.servers().get(1).connectString(), Level.WARN, "not reachable");

            ensemble.servers().get(2).kill();
            await().atMost(Duration.ofSeconds(40)).until(() -> first.ask("srvr").contains("not currently serving"));
            assertFinding(
                    uri + "&connectionTimeout=500ms",
                    "server " + first.connectString(),
                    Level.WARN,
                    "it has no quorum");
            ensemble.servers().get(2).restart();
            first.kill();
            ZooKeeperServer third = ensemble.servers().get(2);
            await().atMost(Duration.ofSeconds(40)).until(() -> third.mode().equals(Optional.of("read-only")));
            String readOnly = "zookeeper://" + third.connectString() + "?connectionTimeout=20s";
            assertFinding(readOnly, "mode", Level.FAIL, "read-only");
            assertFinding(readOnly, "server " + third.connectString(), Level.WARN, "read-only");
        }
    }

    private static ACL allow(int permissions, String user) throws Exception {
        return new ACL(permissions, new Id("digest", DigestAuthenticationProvider.generateDigest(user + ":secret")));
    }

    private static String as(String user, String path) {
        return "zookeeper://" + user + ":secret@" + SERVER.server().connectString() + path;
    }

    @Test
    void each_permission_that_is_missing_is_found() throws Exception {
        // ZooKeeper asks a list whether it contains null.
        List<ACL> acl = Arrays.asList(
                allow(Perms.ALL, "all"),
                allow(Perms.READ, "reader"),
                allow(Perms.READ | Perms.CREATE, "creator"),
                allow(Perms.CREATE | Perms.DELETE, "blind"));
        SERVER.admin().client.addAuthInfo("digest", "all:secret".getBytes(StandardCharsets.UTF_8));
        for (String path : List.of("/denied", "/denied/hasp", "/denied/hasp/locks")) {
            SERVER.admin().client.create(path, new byte[0], acl, CreateMode.PERSISTENT);
        }
        assertFinding(as("all", "/denied"), "permission to create", Level.OK, "/denied/hasp/locks");

        String reader = as("reader", "/denied");
        assertFinding(reader, "permission to create", Level.FAIL, "can't be acquired");
        assertFinding(reader, "permission to delete", Level.UNKNOWN, "no node");
        assertFinding(reader, "layout", Level.OK, "");

        assertFinding(as("creator", "/denied") + "?acl=creator", "permission to delete", Level.OK, "");

        String blind = as("blind", "/denied");
        assertFinding(blind, "permission to create", Level.OK, "");
        assertFinding(blind, "number of locks", Level.UNKNOWN, "may not read");

        try (Probe owner = Probe.connect(as("all", "/denied"))) {
            owner.holder("secret").granted();
            assertFinding(
                    as("creator", "/denied"), "permissions of locks", Level.FAIL, "to read /denied/hasp/locks/secret");
            SERVER.admin()
                    .client
                    .setACL(
                            "/denied/hasp/locks/secret",
                            Arrays.asList(allow(Perms.ALL, "all"), allow(Perms.READ | Perms.CREATE, "creator")),
                            -1);
            String node = SERVER.admin()
                    .client
                    .getChildren("/denied/hasp/locks/secret", false)
                    .get(0);
            SERVER.admin()
                    .client
                    .setACL("/denied/hasp/locks/secret/" + node, Arrays.asList(acl.toArray(ACL[]::new)), -1);
            assertFinding(
                    as("creator", "/denied"),
                    "permissions of locks",
                    Level.FAIL,
                    "to delete in /denied/hasp/locks/secret");
            assertFinding(as("all", "/denied"), "permissions of locks", Level.OK, "granted in ");
        }
    }

    @Test
    void nodes_that_their_own_acl_shuts_off_are_found() throws Exception {
        assertThat(own(Perms.ALL & ~Perms.WRITE)).containsEntry("permission to write", Level.WARN);
        assertThat(own(Perms.ALL & ~Perms.READ)).containsEntry("permission to read", Level.FAIL);
        assertThat(own(Perms.ALL & ~Perms.DELETE)).containsEntry("permission to delete", Level.FAIL);
        assertThat(own(Perms.ALL & ~Perms.CREATE)).containsEntry("permission to create", Level.FAIL);
        assertThat(own(Perms.ALL).values()).containsOnly(Level.OK);
    }

    /** The levels of all checks, with nodes that give these permissions to all users. */
    private static Map<String, Level> own(int permissions) throws Exception {
        Findings findings = new Findings();
        try (ServerAdmin session = ServerAdmin.connect(SERVER.server())) {
            List<ACL> acl = List.of(new ACL(permissions, ZooDefs.Ids.ANYONE_ID_UNSAFE));
            String root = "/own" + permissions;
            SERVER.admin().client.create(root, new byte[0], OPEN, CreateMode.PERSISTENT);
            new PermissionChecks(session.client, root, acl, "own", new RealTime(1), findings).run();
        }
        Map<String, Level> levels = new HashMap<>();
        findings.all().forEach(each -> levels.put(each.check(), each.level()));
        return levels;
    }

    private record RealTime(double speed) implements Timing {
        @Override
        public long nanoTime() {
            return (long) (speed * System.nanoTime());
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(task);
            return () -> {};
        }
    }

    @Test
    void a_node_in_the_way_that_has_no_children_is_found() throws Exception {
        create("/way", CreateMode.PERSISTENT);
        create("/way/hasp", CreateMode.EPHEMERAL);
        assertFinding(uri("/way"), "permission to create", Level.FAIL, "NoChildrenForEphemerals");
    }

    @Test
    void a_quota_that_is_nearly_used_up_is_a_warning_and_one_that_is_used_up_fails() throws Exception {
        create("/full", CreateMode.PERSISTENT);
        limit(SERVER.admin(), "count=10,bytes=-1=;byteHardLimit=-1;countHardLimit=-1");
        assertFinding(uri("/full"), "quota", Level.OK, "on /full");
        for (int i = 0; i < 7; i++) {
            create("/full/" + i, CreateMode.PERSISTENT);
        }
        assertFinding(uri("/full"), "quota", Level.WARN, "nearly used up");

        try (ZooKeeperServer server = ZooKeeperServer.start("enforceQuota=true");
                ServerAdmin admin = ServerAdmin.connect(server)) {
            admin.client.create("/full", new byte[0], OPEN, CreateMode.PERSISTENT);
            limit(admin, "count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=1");
            assertFinding(
                    "zookeeper://" + server.connectString() + "/full", "permission to create", Level.FAIL, "Quota");
        }
    }

    private static void limit(ServerAdmin admin, String limits) throws Exception {
        String quota = "/zookeeper/quota/full";
        admin.client.create(quota, new byte[0], OPEN, CreateMode.PERSISTENT);
        admin.client.create(
                quota + "/zookeeper_limits", limits.getBytes(StandardCharsets.UTF_8), OPEN, CreateMode.PERSISTENT);
        admin.client.create(
                quota + "/zookeeper_stats",
                "count=0,bytes=0".getBytes(StandardCharsets.UTF_8),
                OPEN,
                CreateMode.PERSISTENT);
    }

    @Test
    void more_locks_than_an_applications_client_can_list_are_a_warning() throws Exception {
        create("/many", CreateMode.PERSISTENT);
        create("/many/hasp", CreateMode.PERSISTENT);
        create("/many/hasp/locks", CreateMode.PERSISTENT);
        for (int i = 0; i < 8_000; i += 1_000) {
            List<Op> steps = new ArrayList<>();
            for (int number = i; number < i + 1_000; number++) {
                steps.add(Op.create("/many/hasp/locks/" + number, new byte[0], OPEN, CreateMode.PERSISTENT));
            }
            SERVER.admin().client.multi(steps);
        }
        assertFinding(uri("/many"), "number of locks", Level.WARN, "8000 folders below /many/hasp/locks");
        assertFinding(uri("/many"), "layout", Level.OK, "");

        Findings findings = new Findings();
        new TreeChecks(SERVER.admin().client, "/many/hasp/locks", 8_000 * 132 - 1, true, findings).run();
        assertFound(findings.all(), "number of locks", Level.WARN, "operators can't list them");
        assertFound(findings.all(), "layout", Level.UNKNOWN, "too many");
    }

    private static void assertFound(List<Finding> findings, String check, Level level, String text) {
        assertThat(findings)
                .filteredOn(each -> each.check().equals(check))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.level()).as(each.text()).isEqualTo(level);
                    assertThat(each.text()).contains(text);
                });
    }

    /** Servers of mail or of MySQL begin with a greeting. */
    @Test
    void a_server_that_answers_something_else_is_reachable_and_unknown() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread greeting = new Thread(() -> greet(other), "greeting");
            greeting.start();
            String address = "127.0.0.1:" + other.getLocalPort();
            assertFinding(
                    "zookeeper://" + address + "?connectionTimeout=300ms",
                    "server " + address,
                    Level.UNKNOWN,
                    "its version and its mode are unknown");
            other.close();
            greeting.join();
        }
    }

    private static void greet(ServerSocket server) {
        while (true) {
            try (Socket client = server.accept()) {
                client.getOutputStream().write("220 ready\n".getBytes(StandardCharsets.US_ASCII));
                client.getInputStream().readNBytes(4);
            } catch (IOException closed) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }

    @Test
    void a_clock_that_runs_at_another_speed_is_a_warning() {
        BackendContext slow = new BackendContext("doctor", new RealTime(0.5), ForkJoinPool.commonPool());
        List<Finding> findings = new ZooKeeperProvider().diagnose(URI.create(uri("/slow")), slow);
        assertFound(findings, "clock", Level.WARN, "it was set");
    }

    @Test
    void a_check_that_the_end_of_the_server_prevents_fails_and_the_others_are_not_tried() throws Exception {
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port())) {
            proxy.when(Direction.REQUESTS, "hasp doctor", connection -> {
                proxy.refuse();
                connection.cut(ConnectionEnd.RST);
            });
            List<Finding> findings =
                    LockClient.diagnose("zookeeper://127.0.0.1:" + proxy.port() + "/ended?sessionTimeout=4s");
            assertFound(findings, "permission to create", Level.FAIL, "ConnectionLoss");
            assertThat(findings).map(Finding::check).doesNotContain("quota", "number of locks", "layout");
        }
    }

    @Test
    void foreign_nodes_and_nodes_of_another_layout_are_named() throws Exception {
        try (Probe probe = Probe.connect(uri("/mixed"))) {
            probe.holder("lock").granted();
            assertFinding(uri("/mixed"), "layout", Level.OK, "all of layout 1");
            create("/mixed/hasp/locks/lock/readme", CreateMode.PERSISTENT);
            create("/mixed/hasp/locks/no lock", CreateMode.PERSISTENT);
            assertFinding(
                    uri("/mixed"),
                    "layout",
                    Level.WARN,
                    "foreign nodes, which locks ignore: /mixed/hasp/locks/lock/readme, /mixed/hasp/locks/no lock");
            create("/mixed/hasp/locks/other", CreateMode.PERSISTENT);
            create(
                    "/mixed/hasp/locks/other/x-client-1-",
                    CreateMode.PERSISTENT_SEQUENTIAL,
                    "2|later".getBytes(StandardCharsets.UTF_8));
            assertFinding(uri("/mixed"), "layout", Level.WARN, "another layout: /mixed/hasp/locks/other/x-client-1-");
            SERVER.admin().client.delete("/mixed/hasp/locks/lock/readme", -1);
        }
    }
}
