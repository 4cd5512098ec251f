package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static io.hasp.redis.TestClient.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LogLines;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that evict keys, or hide their policy: refused, accepted, and the losses. */
@InTier(Tier.STANDARD)
class EvictionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final long ROOM = 4L << 20;
    private static final int MOST_WRITES = 100_000;
    private static final String HIDES = "does not show its maxmemory-policy";

    private static RedisConfig config(RedisServer server) {
        return RedisConfig.of("127.0.0.1", server.port()).commandTimeout(TIMEOUT);
    }

    private static RedisConfig accepting(RedisServer server) {
        return config(server).locks(RedisLocks.defaults().eviction(Eviction.ACCEPTED));
    }

    private static TestClient open(Through library, RedisConfig config) {
        return new TestClient(library.source(config));
    }

    private static RedisServer evicting(String policy) {
        return RedisServer.start("maxmemory-policy " + policy, "lfu-log-factor 0");
    }

    private static void policy(RedisServer server, String policy) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
    }

    /** Others write values until the keys are gone. What they write expires much later and is used more often than a lock. */
    private static void fillMemoryUntilGone(RedisServer server, String... keys) throws IOException {
        try (RespConnection others = server.connect()) {
            long used = String.valueOf(others.command("INFO", "memory"))
                    .lines()
                    .filter(line -> line.startsWith("used_memory:"))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                    .sum();
            others.command("CONFIG", "SET", "maxmemory", Long.toString(used + ROOM));
            String value = "x".repeat(16 << 10);
            String[] exist = Stream.concat(Stream.of("EXISTS"), Stream.of(keys)).toArray(String[]::new);
            for (int i = 0; !Long.valueOf(0).equals(others.command(exist)); i++) {
                assertThat(i).as("writes that evict no lock").isLessThan(MOST_WRITES);
                others.command("SET", "cache:" + i, value, "EX", "36000");
                for (int uses = 0; uses < 10; uses++) {
                    others.command("STRLEN", "cache:" + i);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fa15_a_server_that_evicts_is_refused_unless_that_is_accepted(Through library) {
        try (RedisServer server = evicting("volatile-ttl")) {
            assertFailure(
                    () -> open(library, config(server)),
                    Kind.INCOMPATIBLE,
                    Outcome.NOT_APPLIED,
                    "has maxmemory-policy volatile-ttl, which may evict a lock while it is held: set it to noeviction, or"
                            + " accept this by eviction=accepted");
            try (LogLines log = LogLines.about(Integer.toString(server.port()));
                    TestClient client = open(library, accepting(server))) {
                client.granted("a");
                assertThat(client.backend.capabilities().evicts()).isTrue();
                assertThat(log.all()).isEmpty();
            }
        }
    }

    /** Its counter is evicted as well, so that nothing but the clock keeps the order of tokens. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "volatile-lru",
                "volatile-lfu",
                "volatile-random",
                "volatile-ttl",
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random"
            })
    void fa15_under_each_policy_an_evicted_lock_is_lost_at_the_next_renewal_and_tokens_stay_in_order(String policy)
            throws IOException {
        try (RedisServer server = evicting(policy);
                TestClient first = open(Through.JEDIS, accepting(server));
                TestClient second = open(Through.JEDIS, accepting(server))) {
            Grant evicted = first.granted("a");
            assertThat(second.tryAcquire("b")).isInstanceOf(Attempt.Busy.class);
            fillMemoryUntilGone(server, KEY, KEY + ":t");
            assertThat(first.renew(evicted)).isInstanceOf(Renewal.Lost.class);
            assertThat(second.granted("c").token()).isGreaterThan(evicted.token());
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void fa15_a_holder_whose_lock_is_evicted_is_told_lost_and_another_client_gets_it_with_a_larger_token(
            Through library) throws IOException, InterruptedException {
        ClientOptions options = ClientOptions.defaults().renewedLease(LEASE);
        try (RedisServer server = evicting("allkeys-lru");
                LockClient first = LockClient.over(library.source(accepting(server)), options);
                LockClient second = LockClient.over(library.source(accepting(server)), options)) {
            Lease evicted = first.lock("orders/42").acquire();
            List<LeaseState> told = new CopyOnWriteArrayList<>();
            evicted.onChange(Runnable::run, told::add);
            fillMemoryUntilGone(server, KEY);
            try (Lease next = second.lock("orders/42").acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(evicted.fencingToken());
                await().atMost(LEASE.multipliedBy(2).dividedBy(3)).until(() -> told.contains(LeaseState.LOST));
                assertThatExceptionOfType(LeaseLostException.class)
                        .isThrownBy(evicted::ensureHeld)
                        .withMessageContaining("the server keeps it for another holder, or for nobody");
            }
            assertThat(first.capabilities().mayEvictLocks()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_policy_that_changes_is_noticed_by_the_next_client_that_connects(Through library) {
        try (RedisServer server = RedisServer.start();
                TestClient before = open(library, config(server));
                TestClient accepting = open(library, accepting(server))) {
            assertThat(before.backend.capabilities().evicts()).isFalse();
            assertThat(accepting.backend.capabilities().evicts()).isFalse();
            policy(server, "allkeys-lru");
            before.granted("a");
            assertFailure(
                    () -> open(library, config(server)), Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "policy allkeys-lru");
            try (TestClient next = open(library, accepting(server))) {
                assertThat(next.backend.capabilities().evicts()).isTrue();
            }
            policy(server, "noeviction");
            try (TestClient next = open(library, config(server))) {
                assertThat(next.backend.capabilities().evicts()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_server_that_hides_its_policy_connects_with_one_warning_for_each_client(Through library) {
        try (RedisServer server = evicting("allkeys-lru");
                LogLines log = LogLines.about(HIDES)) {
            server.command("ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "&hasp:*", "+@all", "-info");
            RedisConfig hidden = config(server).credentials("locks", "pw");
            for (int clients = 1; clients <= 2; clients++) {
                try (TestClient client = open(library, hidden)) {
                    client.granted("a" + clients);
                    client.release("a" + clients);
                    assertThat(client.backend.capabilities().evicts()).isTrue();
                    assertThat(log.with(hidden.server() + " " + HIDES))
                            .hasSize(clients)
                            .allMatch(line -> line.startsWith("WARNING "));
                }
            }
            try (TestClient client =
                    open(library, hidden.locks(RedisLocks.defaults().eviction(Eviction.ACCEPTED)))) {
                client.granted("b");
                assertThat(log.with(hidden.server() + " " + HIDES)).hasSize(2);
            }
        }
    }

    @Test
    void an_answer_without_a_policy_is_a_hidden_policy() {
        ServerCheck check = ServerCheck.refusingEviction("");
        try (LogLines log = LogLines.about(HIDES)) {
            check.require("redis://h", "master|noeviction|0||");
            assertThat(check.mayEvict()).isFalse();
            check.require("redis://h", "master||||");
            check.require("redis://h", "||||");
            assertThat(check.mayEvict()).isTrue();
            assertThat(log.with("redis://h " + HIDES)).hasSize(1);
        }
    }

    static Stream<ManagedService> managedServices() {
        return Stream.of(Through.values())
                .flatMap(library -> Stream.of(true, false)
                        .flatMap(keep ->
                                Stream.of(true, false).map(renamed -> new ManagedService(library, keep, renamed))));
    }

    /** A server whose users may not run some commands, or that has no such commands. */
    record ManagedService(Through library, boolean keep, boolean renamed) {
        private static final List<String> FORBIDDEN = List.of("INFO", "CONFIG", "CLIENT");

        RedisServer start() {
            String[] lines = FORBIDDEN.stream()
                    .map(command -> "rename-command " + command + " \"\"")
                    .toArray(String[]::new);
            RedisServer server = renamed ? RedisServer.start(lines) : RedisServer.start();
            server.command(("ACL SETUSER locks on >pw ~hasp:* &hasp:* " + PermissionRules.COMMANDS).split(" "));
            return server;
        }

        LockClient open(RedisServer server) {
            ClientOptions options = ClientOptions.defaults();
            return LockClient.over(
                    library.source(config(server).credentials("locks", "pw")),
                    keep ? options.keep(Duration.ofSeconds(1)) : options);
        }
    }

    @ParameterizedTest
    @MethodSource("managedServices")
    void no_command_that_managed_services_forbid_is_needed(ManagedService service) {
        try (RedisServer server = service.start();
                LockClient one = service.open(server);
                LockClient other = service.open(server)) {
            for (LockClient client : List.of(one, one, other, one)) {
                assertThatNoException()
                        .isThrownBy(() -> client.lock("orders/42").run(Lease::ensureHeld));
                assertThat(client.lock("orders/42").tryAcquire()).hasValueSatisfying(Lease::close);
                assertThat(client.semaphore("permits", 2).tryAcquire(1)).hasValueSatisfying(Lease::close);
            }
        }
    }

    @Test
    void redlock_refuses_to_accept_and_logs_one_warning_for_all_nodes_that_hide_their_policies() {
        try (RedlockServers nodes = RedlockServers.start(3);
                LogLines log = LogLines.about(HIDES)) {
            List<RedisConfig> shown = nodes.nodes().stream()
                    .map(node -> RedisConfig.of("127.0.0.1", node.port()))
                    .toList();
            try (RealTiming timing = new RealTiming();
                    TestClient client = redlock(shown, timing)) {
                client.granted("a");
                assertThat(client.backend.capabilities().evicts()).isFalse();
                client.release("a");
            }
            nodes.nodes()
                    .forEach(node -> node.command(
                            "ACL", "SETUSER", "locks", "on", ">pw", "~hasp:*", "&hasp:*", "+@all", "-info"));
            List<RedisConfig> hidden =
                    shown.stream().map(node -> node.credentials("locks", "pw")).toList();
            try (RealTiming timing = new RealTiming();
                    TestClient client = redlock(hidden, timing)) {
                client.granted("b");
                assertThat(client.backend.capabilities().evicts()).isTrue();
                await().until(() -> nodesAreUp(nodes, client));
                assertThat(IntStream.range(0, 3)
                                .mapToObj(i -> log.with(hidden.get(i).server() + " " + HIDES))
                                .flatMap(List::stream))
                        .hasSize(1);
            }
            policy(nodes.node(2), "volatile-lru");
            try (RealTiming timing = new RealTiming()) {
                assertFailure(
                        () -> redlock(shown, timing),
                        Kind.INCOMPATIBLE,
                        Outcome.NOT_APPLIED,
                        "volatile-lru, which may evict a lock while it is held: set it to noeviction, which Redlock needs");
            }
        }
    }

    private static TestClient redlock(List<RedisConfig> nodes, RealTiming timing) {
        return new TestClient(
                RedlockBackend.on(new RedlockConfig(nodes, RedlockServers.NODE_TIMEOUT)), timing, timing.threads());
    }

    private static boolean nodesAreUp(RedlockServers nodes, TestClient client) {
        String channel = "hasp:c:" + client.id;
        return nodes.nodes().stream()
                .allMatch(node -> List.of(channel, 1L).equals(node.command("PUBSUB", "NUMSUB", channel)));
    }
}
