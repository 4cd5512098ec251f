package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that the command did not start: used politely, or refused with one clear line. */
@InTier(Tier.STANDARD)
class UserServersTest {
    private static final Schedule SHORT = new Schedule(
            1, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofMillis(200), Duration.ofMillis(100));
    private static final String PASSWORD = "p@ss:word";
    private static final String QUOTED = "p%40ss%3Aword";

    @TempDir
    private Path folder;

    @Test
    @InTier(Tier.FULL)
    void all_locks_work_on_servers_with_credentials_and_leave_nothing_there() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start();
                PostgresServer postgres = PostgresServer.start()) {
            redis.command("ACL", "SETUSER", "locks", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-info");
            redis.command("SET", "somebody's", "own");
            List<String> before = tree(zookeeper);

            CommandRun run = CommandRun.of(
                    SHORT,
                    folder,
                    "--quick",
                    "--only",
                    "contended",
                    "--subjects",
                    Stream.of(Subject.values())
                            .filter(each -> each.service() != Service.REDLOCK)
                            .map(Subject::label)
                            .collect(Collectors.joining(",")),
                    "--backend",
                    "redis://locks:" + QUOTED + "@127.0.0.1:" + redis.port() + "/3?keyPrefix=team",
                    "--backend",
                    "zookeeper://locks:" + QUOTED + "@" + zookeeper.connectString() + "?acl=creator",
                    "--backend",
                    "postgres://postgres:" + QUOTED + "@127.0.0.1:" + postgres.port() + "/postgres");

            assertThat(run.exit()).as(run.said()).isZero();
            assertThat(run.said())
                    .contains("Redis at redis://127.0.0.1:" + redis.port())
                    .contains("does not tell what it counts")
                    .doesNotContain(PASSWORD, QUOTED);
            assertThat(run.results().toString()).doesNotContain(PASSWORD, QUOTED);
            assertThat(keys(redis)).containsExactly("0 somebody's");
            assertThat(tree(zookeeper)).isEqualTo(before);
            assertThat(postgres.run("select count(*) from pg_namespace where nspname like 'hasp%'"))
                    .isZero();
        }
    }

    @Test
    void a_failed_lock_of_another_library_is_named_and_counts_only_with_strict() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "few", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-hincrby");
            List<String> arguments = List.of(
                    "--quick",
                    "--only",
                    "uncontended",
                    "--subjects",
                    "hasp-redis-jedis,redisson-rlock",
                    "--backend",
                    "redis://few:" + QUOTED + "@127.0.0.1:" + redis.port());

            CommandRun usual = CommandRun.of(SHORT, folder, arguments.toArray(String[]::new));
            CommandRun strict = CommandRun.of(
                    SHORT,
                    folder,
                    Stream.concat(arguments.stream(), Stream.of("--strict")).toArray(String[]::new));

            assertThat(usual.out()).as(usual.said()).contains("FAILED  redisson-rlock at uncontended");
            assertThat(usual.exit()).as(usual.said()).isZero();
            assertThat(strict.exit()).as(strict.said()).isEqualTo(Hasp.FAILED);
        }
    }

    @Test
    void a_lock_that_can_not_connect_fails_alone_and_the_others_are_measured() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "few", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-ping");

            CommandRun run = CommandRun.of(
                    SHORT,
                    folder,
                    "--quick",
                    "--only",
                    "uncontended",
                    "--subjects",
                    "redisson-rlock,hasp-redis-jedis",
                    "--backend",
                    "redis://few:" + QUOTED + "@127.0.0.1:" + redis.port());

            assertThat(run.out())
                    .as(run.said())
                    .contains("FAILED  redisson-rlock at uncontended", "redisson-rlock can't connect");
            assertThat(run.exit()).as(run.said()).isZero();
            assertThat(run.figure("hasp-redis-jedis", "cycle_p50")).isPositive();
        }
    }

    @Test
    void a_client_that_is_killed_there_leaves_nothing_either_and_what_servers_tell_is_counted() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            List<String> before = tree(zookeeper);

            CommandRun run = CommandRun.of(
                    SHORT,
                    folder,
                    "--only",
                    "handoff,takeover",
                    "--subjects",
                    "hasp-zookeeper",
                    "--backend",
                    "zookeeper://" + zookeeper.connectString());

            assertThat(run.exit()).as(run.said()).isZero();
            assertThat(run.figure("hasp-zookeeper", "commands_per_acquisition")).isPositive();
            assertThat(run.figure("hasp-zookeeper", "takeover")).isPositive();
            assertThat(tree(zookeeper)).isEqualTo(before);
        }
    }

    @Test
    void redlock_works_on_given_servers_and_leaves_nothing_there() throws Exception {
        try (RedisServer a = RedisServer.start();
                RedisServer b = RedisServer.start();
                RedisServer c = RedisServer.start()) {
            String uri = "redlock://127.0.0.1:" + a.port() + ",127.0.0.1:" + b.port() + ",127.0.0.1:" + c.port();

            CommandRun run = CommandRun.of(SHORT, folder, "--quick", "--only", "contended", "--backend", uri);

            assertThat(run.exit()).as(run.said()).isZero();
            assertThat(run.figure("hasp-redlock", "acquisitions_per_s")).isPositive();
            for (RedisServer node : List.of(a, b, c)) {
                assertThat(keys(node)).isEmpty();
            }
        }
    }

    @Test
    void what_cannot_be_reached_is_one_clear_line() throws Exception {
        assertRefused("redis://127.0.0.1:1", "redis://127.0.0.1:1 can't be reached: Connection refused");
        assertRefused("redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3", "can't be reached: Connection refused");
        assertRefused("zookeeper://127.0.0.1:1", "zookeeper://127.0.0.1:1 can't be reached: no connection within 5 s");
    }

    @Test
    void what_redis_does_not_permit_is_one_clear_line() throws Exception {
        try (RedisServer redis = RedisServer.start("requirepass right");
                RespConnection admin = redis.connect()) {
            admin.command("AUTH", "right");
            admin.command("ACL", "SETUSER", "plain", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-@scripting");
            admin.command("ACL", "SETUSER", "stay", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-del");
            admin.command("ACL", "SETUSER", "blind", "on", ">" + PASSWORD, "~*", "&*", "+@all", "-scan");
            String at = "@127.0.0.1:" + redis.port();
            String server = "redis://127.0.0.1:" + redis.port();

            assertRefused("redis://:wrong" + at, server + " refuses the sign-in: WRONGPASS");
            assertRefused(redis.uri(), server + " refuses SET: NOAUTH");
            assertRefused("redis://plain:" + QUOTED + at, server + " refuses EVAL: NOPERM");
            assertRefused("redis://blind:" + QUOTED + at, server + " refuses SCAN: NOPERM");
            assertThat(admin.command("KEYS", "*")).isEqualTo(List.of());
            assertRefused("redis://stay:" + QUOTED + at, server + " refuses DEL: NOPERM");
        }
    }

    @Test
    void what_zookeeper_does_not_permit_is_one_clear_line() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            try (ZooKeeper admin = handle(zookeeper)) {
                // A list that permits ZooKeeper's check for null.
                List<ACL> readOnly = new ArrayList<>(List.of(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)));
                admin.create("/locked", new byte[0], readOnly, CreateMode.PERSISTENT);
            }
            List<String> before = tree(zookeeper);
            String uri = "zookeeper://" + zookeeper.connectString();

            assertRefused(uri + "/locked", uri + " refuses to create or delete nodes");
            assertRefused(uri + "/absent", uri + " has no node /absent");
            assertThat(tree(zookeeper)).isEqualTo(before);
        }
    }

    @Test
    void if_one_server_cannot_be_used_nothing_is_left_on_the_others() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            CommandRun run =
                    CommandRun.of(SHORT, folder, "--backend", redis.uri(), "--backend", "zookeeper://127.0.0.1:1");

            assertThat(run.exit()).isEqualTo(Hasp.FAILED);
            assertThat(keys(redis)).isEmpty();
        }
    }

    private void assertRefused(String uri, String expected) throws Exception {
        CommandRun run = CommandRun.of(SHORT, folder, "--backend", uri);

        assertThat(run.exit()).isEqualTo(Hasp.FAILED);
        assertThat(run.err().lines().filter(line -> line.startsWith("hasp: ")))
                .as(run.said())
                .singleElement()
                .asString()
                .contains(expected);
        assertThat(run.said()).doesNotContain(PASSWORD, QUOTED, "wrong@");
        assertThat(run.out()).isEmpty();
    }

    /** With the number of the database before each. */
    private static List<String> keys(RedisServer redis) throws Exception {
        List<String> keys = new ArrayList<>();
        try (RespConnection connection = redis.connect()) {
            for (String database : List.of("0", "3")) {
                connection.command("SELECT", database);
                for (Object key : (List<?>) Objects.requireNonNull(connection.command("KEYS", "*"))) {
                    keys.add(database + " " + key);
                }
            }
        }
        return keys;
    }

    private static List<String> tree(ZooKeeperServer zookeeper) throws Exception {
        try (ZooKeeper handle = handle(zookeeper)) {
            return ZKUtil.listSubTreeBFS(handle, "/");
        }
    }

    private static ZooKeeper handle(ZooKeeperServer zookeeper) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper handle = new ZooKeeper(zookeeper.connectString(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        return handle;
    }
}
