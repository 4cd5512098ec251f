package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.DistributedLock;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.conformance.faults.RedisReplication;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.LockBackendProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/messages.md is what the code says. {@code -Dhasp.messages=write} writes it there, for the change that
 * mends a message.
 */
class MessagesTest {
    private static final Path PAGE = Documents.ROOT.resolve("docs/messages.md");
    private static final Pattern TABLE = Pattern.compile("(?s)(?<=<!-- made by MessagesTest -->\n).*?(?=<!-- end -->)");

    /** The parts that differ from run to run: ports, names of threads and files. */
    private static final Pattern PORT = Pattern.compile("(?<=127\\.0\\.0\\.1:)(?!2181)\\d+");

    private final Map<String, Throwable> answers = new LinkedHashMap<>();

    @Test
    void the_table_of_wrong_inputs_is_what_the_code_says() throws IOException {
        uris();
        servers();
        postgres();
        sentinels();
        cluster();
        calls();
        String table = "| wrong | exception | message |\n|---|---|---|\n"
                + answers.entrySet().stream()
                        .map(answer -> row(answer.getKey(), answer.getValue()))
                        .collect(Collectors.joining());
        assertThat(answers).hasSizeGreaterThanOrEqualTo(12);
        String page = Files.readString(PAGE);
        if ("write".equals(System.getProperty("hasp.messages"))) {
            Files.writeString(PAGE, TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(table)));
        } else {
            assertThat(TABLE.matcher(page).results().map(found -> found.group()))
                    .as("the table of docs/messages.md; -Dhasp.messages=write writes it")
                    .containsExactly(table);
        }
    }

    /** A class path with nothing but the API: each scheme names the artifact that brings it. */
    @Test
    void a_missing_backend_is_named_by_its_artifact() throws Exception {
        URL api = LockClient.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {api}, ClassLoader.getPlatformClassLoader())) {
            Method connect = alone.loadClass(LockClient.class.getName()).getMethod("connect", String.class);
            Set<String> schemes = ServiceLoader.load(LockBackendProvider.class).stream()
                    .flatMap(provider -> provider.get().schemes().stream())
                    .collect(Collectors.toSet());
            assertThat(schemes)
                    .contains("memory", "redis-cluster", "postgresql")
                    .allSatisfy(scheme -> assertThatThrownBy(() -> connect.invoke(null, scheme + "://127.0.0.1"))
                            .hasCauseInstanceOf(RuntimeException.class)
                            .cause()
                            .hasMessageContaining("add the artifact io.hasp:lock-"));
        }
    }

    private void uris() {
        connect("127.0.0.1:6379");
        connect("localhost:6379");
        connect("etcd://127.0.0.1:2379");
        connect("redis://a,b,c");
        connect("redis-sentinel://a,b,c");
        connect("redis-cluster://a,b,c/1");
        connect("redis://my_redis:6379");
        connect("redis://127.0.0.1:6379?laese=10s");
        connect("redis://127.0.0.1:6379?renewedLease=soon");
        connect("redis://127.0.0.1:6379/locks");
        connect("redis://127.0.0.1:6379?eviction=yes");
        connect("redlock://a,b");
        connect("redlock://a,b,c?eviction=accepted");
        connect("zookeeper:///locks");
        connect("zookeeper://zk1:99999");
        connect("jdbc:postgresql://127.0.0.1/app");
        connect("postgresql://127.0.0.1");
        connect("postgresql://127.0.0.1/app?schema=made");
        connect("memory://local/locks");
        ask("`LockClient.connect()` without `HASP_URI`", LockClient::connect);
    }

    private void servers() {
        RedisServer stopped = RedisServer.start();
        stopped.close();
        ask("`redis://127.0.0.1:6379`, where nobody listens", () -> LockClient.connect(stopped.uri()));
        try (RedisServer redis = RedisServer.start();
                RedisServer replica = RedisServer.start();
                RedisServer guarded = RedisServer.start("requirepass secret");
                RedisServer cache = RedisServer.start("maxmemory-policy allkeys-lru")) {
            ask(
                    "`rediss://127.0.0.1:6379`, a port without TLS",
                    () -> LockClient.connect("rediss://127.0.0.1:" + redis.port() + "?commandTimeout=300ms"));
            RedisReplication.follow(replica, redis.port());
            ask("`redis://127.0.0.1:6379`, a replica", () -> LockClient.connect(replica.uri()));
            ask("`redis://127.0.0.1:6379`, a cache", () -> LockClient.connect(cache.uri()));
            ask("`redis://127.0.0.1:6379`, which asks for a password", () -> LockClient.connect(guarded.uri()));
            ask(
                    "`redis://:wrong@127.0.0.1:6379`",
                    () -> LockClient.connect("redis://:wrong@127.0.0.1:" + guarded.port()));
        }
    }

    private void postgres() {
        try (PostgresServer server = PostgresServer.start()) {
            String uri = "postgresql://%s@127.0.0.1:%d/%s";
            ask(
                    "`postgresql://postgres:postgres@127.0.0.1:6379/postgres`, without the tables",
                    () -> LockClient.connect(String.format(uri, "postgres:postgres", server.port(), "postgres")));
            ask(
                    "`postgresql://postgres:postgres@127.0.0.1:6379/other`, an unknown database",
                    () -> LockClient.connect(String.format(uri, "postgres:postgres", server.port(), "other")));
        }
    }

    private void sentinels() {
        try (SentinelServers servers = SentinelServers.start(Duration.ofMinutes(1))) {
            int sentinel = servers.sentinels().get(0).port();
            String wrongName = "redis-sentinel://127.0.0.1:%d?sentinelMasterId=other";
            ask(
                    "`" + String.format(wrongName, 6379) + "`",
                    () -> LockClient.connect(String.format(wrongName, sentinel)));
            int replica = servers.servers().get(1).port();
            ask(
                    "`redis-sentinel://127.0.0.1:6379?sentinelMasterId=m`, a server that is no sentinel",
                    () -> LockClient.connect("redis-sentinel://127.0.0.1:" + replica + "?sentinelMasterId=m"));
            ask("`redis://127.0.0.1:6379`, a sentinel", () -> LockClient.connect("redis://127.0.0.1:" + sentinel));
        }
    }

    private void cluster() {
        try (RedisServer redis = RedisServer.start();
                ClusterServers servers = ClusterServers.start(false, Duration.ofMinutes(1))) {
            ask(
                    "`redis-cluster://127.0.0.1:6379`, a server without a cluster",
                    () -> LockClient.connect("redis-cluster://127.0.0.1:" + redis.port()));
            ask(
                    "`redis://127.0.0.1:6379`, a node of a cluster",
                    () -> LockClient.connect(servers.servers().get(0).uri()));
        }
    }

    private void calls() {
        try (LockClient locks = LockClient.connect("memory://local")) {
            DistributedLock lock = locks.lock("a");
            ask("`locks.lock(\"\")`", () -> locks.lock(""));
            ask(
                    "`LockOptions.defaults().fixedLease(Duration.ZERO)`",
                    () -> LockOptions.defaults().fixedLease(Duration.ZERO));
            ask("`lock.tryAcquire(Duration.ofMillis(-1))`", () -> lock.tryAcquire(Duration.ofMillis(-1)));
        }
        LockClient closed = LockClient.connect("memory://local");
        Lock lock = closed.lock("a").asReentrantLock();
        lock.lock();
        closed.closeNow();
        ask("`lock.asReentrantLock().unlock()` after `closeNow()`", lock::unlock);
        ask(
                "`lock.acquire()` after the client was closed",
                () -> closed.lock("a").acquire());
    }

    private void connect(String uri) {
        ask("`" + uri + "`", () -> LockClient.connect(uri));
    }

    private void ask(String wrong, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).as(wrong).isNotNull();
        answers.put(wrong, thrown);
    }

    private static String row(String wrong, Throwable answer) {
        String message = PORT.matcher(String.valueOf(answer.getMessage())).replaceAll("6379");
        assertThat(message)
                .as(wrong)
                .doesNotContain("\n")
                .doesNotContain("secret")
                .doesNotContain("wrong@");
        return "| " + wrong + " | `" + answer.getClass().getSimpleName() + "` | " + message.replace("|", "\\|")
                + " |\n";
    }
}
