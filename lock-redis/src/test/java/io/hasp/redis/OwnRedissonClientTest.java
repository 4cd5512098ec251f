package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.NameMapper;
import org.redisson.config.Protocol;
import org.redisson.config.SubscriptionMode;

/** On clients as an application would have them: replays on. */
class OwnRedissonClientTest implements ConnectionRules {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final RedisServer server = RedisServer.start();
    private final Queue<RedissonClient> clients = new ConcurrentLinkedQueue<>();

    @Override
    public RedisServer server() {
        return server;
    }

    @Override
    public BackendSource source(RedisServer server, Duration timeout) {
        return RedisBackend.onRedisson(redisson(server, timeout));
    }

    private RedissonClient redisson(RedisServer server, Duration timeout) {
        return redisson(server.port(), timeout);
    }

    private RedissonClient redisson(int port, Duration timeout) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(1)
                .setTimeout((int) timeout.toMillis())
                .setRetryAttempts(1);
        RedissonClient client = Redisson.create(config);
        clients.add(client);
        return client;
    }

    @AfterEach
    void shutDown() {
        clients.forEach(RedissonClient::shutdown);
        clients.clear();
    }

    @Test
    void closing_the_backend_leaves_the_applications_client_open() {
        try (TestClient client = open()) {
            client.granted("a");
        }
        assertThat(clients).noneMatch(RedissonClient::isShutdown);
        assertThat(clients.element().getBucket("mine").isExists()).isFalse();
    }

    @Test
    void the_key_prefix_can_be_told() {
        RedissonClient redisson = redisson(server, Duration.ofSeconds(2));
        try (TestClient client = new TestClient(
                RedisBackend.onRedisson(redisson, RedisLocks.defaults().keyPrefix("app:locks")))) {
            client.granted("a");
            assertThat(server.command("KEYS", "app:locks:*")).asInstanceOf(LIST).isNotEmpty();
            assertThat(server.command("KEYS", "hasp:*")).asInstanceOf(LIST).isEmpty();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLocks.defaults().keyPrefix("a{b"))
                .withMessageContaining("keyPrefix is 'a{b'");
    }

    @Test
    void a_server_that_may_evict_locks_is_refused_unless_that_is_accepted() {
        try (RedisServer evicting = RedisServer.start("maxmemory-policy allkeys-lru")) {
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(
                            () -> new TestClient(RedisBackend.onRedisson(redisson(evicting, Duration.ofSeconds(2)))))
                    .withMessageContaining("Eviction.ACCEPTED");
            try (TestClient client = new TestClient(RedisBackend.onRedisson(
                    redisson(evicting, Duration.ofSeconds(2)),
                    RedisLocks.defaults().eviction(Eviction.ACCEPTED)))) {
                client.granted("a");
                assertThat(client.backend.capabilities().evicts()).isTrue();
            }
        }
    }

    /** The pool of the client keeps such connections for a minute. */
    @Test
    void connections_that_got_no_answer_are_left() {
        try (FaultProxy proxy = FaultProxy.before(server.port());
                TestClient client = new TestClient(RedisBackend.onRedisson(redisson(proxy.port(), TIMEOUT)))) {
            Grant grant = client.granted("a");
            proxy.connections().forEach(connection -> {
                connection.set(Direction.REQUESTS, TrafficPolicy.DROP);
                connection.set(Direction.REPLIES, TrafficPolicy.DROP);
            });
            await().atMost(TIMEOUT.multipliedBy(10)).until(() -> client.renew(grant) instanceof Renewal.Renewed);
            await().atMost(Duration.ofSeconds(15)).until(() -> {
                client.signals.clear();
                server.command("PUBLISH", "hasp:c:" + client.id, "a|1|30000|30000|" + TestClient.KEY);
                return "a MAYBE_FREE".equals(client.signals.poll(100, TimeUnit.MILLISECONDS));
            });
            client.release("a");
        }
    }

    @Test
    void a_server_that_does_not_answer_is_named_as_the_cause() throws InterruptedException {
        try (FaultProxy proxy = FaultProxy.before(server.port());
                LockClient client = LockClient.over(
                        RedisBackend.onRedisson(redisson(proxy.port(), TIMEOUT)), ClientOptions.defaults())) {
            client.lock("a").acquire().close();
            proxy.set(TrafficPolicy.DROP);
            long begun = System.nanoTime();
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(() -> client.lock("a").tryAcquire())
                    .withMessageContaining("did not answer: timed out");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.multipliedBy(3));
            proxy.heal();
        }
    }

    @Test
    void a_client_that_speaks_resp3_wakes_waiters() {
        Config config = new Config();
        config.setProtocol(Protocol.RESP3).useSingleServer().setAddress(server.uri());
        RedissonClient redisson = Redisson.create(config);
        clients.add(redisson);
        try (TestClient client = new TestClient(RedisBackend.onRedisson(redisson));
                TestClient other = open()) {
            other.granted("a");
            assertThat(client.acquire("b")).isInstanceOf(Attempt.Busy.class);
            other.release("a");
            await().until(() -> client.signals.contains("b MAYBE_FREE"));
            client.granted("b");
        }
    }

    private RedissonClient sentinels(SentinelServers servers) {
        Config config = new Config();
        config.useSentinelServers()
                .setMasterName(SentinelServers.MASTER_ID)
                .addSentinelAddress(
                        servers.sentinels().stream().map(RedisServer::uri).toArray(String[]::new))
                .setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionMinimumIdleSize(1)
                .setSlaveConnectionMinimumIdleSize(1)
                .setScanInterval(500)
                .setTimeout(2_000)
                .setRetryAttempts(1);
        RedissonClient client = Redisson.create(config);
        clients.add(client);
        return client;
    }

    @Test
    void a_client_that_asks_sentinels_wakes_waiters_and_follows_a_failover() {
        try (SentinelServers servers = SentinelServers.start(Duration.ofMinutes(1));
                TestClient client = new TestClient(RedisBackend.onRedisson(sentinels(servers)));
                TestClient other = new TestClient(RedisBackend.onRedisson(sentinels(servers)))) {
            client.granted("a");
            other.acquire("b");
            client.release("a");
            await().until(() -> other.signals.contains("b MAYBE_FREE"));
            Grant grant = other.granted("b");
            assertThat(other.renew(grant)).isInstanceOf(Renewal.Renewed.class);
            // A failover loses what was not replicated yet.
            await().until(() -> servers.servers().stream()
                    .allMatch(any ->
                            String.valueOf(any.command("GET", TestClient.KEY)).contains("|b|")));
            servers.failOver();
            await().until(() -> other.signals.containsAll(List.of("b SUSPECT", "b RESTORED")));
            await().until(() -> other.renew(grant) instanceof Renewal.Renewed);
            assertThat(servers.master().command("GET", TestClient.KEY))
                    .asString()
                    .contains("|b|");
        }
    }

    @ParameterizedTest
    @MethodSource("addressesWithPassword")
    void a_password_in_an_address_of_the_client_is_in_no_message(Consumer<Config> choice) {
        Config config = new Config();
        choice.accept(config);
        RedissonClient unreachable = Redisson.create(config.setLazyInitialization(true));
        clients.add(unreachable);
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> LockClient.over(RedisBackend.onRedisson(unreachable), ClientOptions.defaults()))
                .withMessageContaining("127.0.0.1:1")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("Xa7Secret9"));
    }

    static Stream<Consumer<Config>> addressesWithPassword() {
        String address = "redis://app:Xa7Secret9@127.0.0.1:1";
        return Stream.of(
                config -> config.useSingleServer()
                        .setAddress(address)
                        .setRetryAttempts(0)
                        .setConnectTimeout(500),
                config -> config.useMasterSlaveServers()
                        .setMasterAddress(address)
                        .setSubscriptionMode(SubscriptionMode.MASTER)
                        .addSlaveAddress(address)
                        .setRetryAttempts(0)
                        .setConnectTimeout(500),
                config -> config.useReplicatedServers()
                        .setSubscriptionMode(SubscriptionMode.MASTER)
                        .addNodeAddress(address)
                        .setRetryAttempts(0)
                        .setConnectTimeout(500),
                config -> config.useSentinelServers()
                        .setMasterName("master")
                        .setSubscriptionMode(SubscriptionMode.MASTER)
                        .addSentinelAddress(address)
                        .setRetryAttempts(0)
                        .setConnectTimeout(500));
    }

    /** Waiters that listen at another server than the one that is asked would be passed over. */
    @ParameterizedTest
    @MethodSource("severalServers")
    void a_client_for_several_servers_is_refused(String named, Consumer<Config> choice) {
        Config config = new Config();
        choice.accept(config);
        RedissonClient several = Redisson.create(config.setLazyInitialization(true));
        clients.add(several);
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.over(RedisBackend.onRedisson(several), ClientOptions.defaults()))
                .withMessageContaining(named);
    }

    /** It subscribes to another channel than the scripts publish to: its waiters were passed over, and its kept locks never recalled. */
    @Test
    void a_client_that_gives_keys_and_channels_other_names_is_refused() {
        RedissonClient mapped = Redisson.create(mapped());
        clients.add(mapped);
        assertThatExceptionOfType(InvalidArgumentException.class)
                .isThrownBy(() -> LockClient.over(RedisBackend.onRedisson(mapped), ClientOptions.defaults()))
                .withMessageContaining("NameMapper");
    }

    private Config mapped() {
        Config config = new Config();
        config.useSingleServer().setAddress(server.uri());
        return config.setNameMapper(new NameMapper() {
            @Override
            public String map(String name) {
                return "app:" + name;
            }

            @Override
            public String unmap(String name) {
                return name.substring("app:".length());
            }
        });
    }

    static Stream<Arguments> severalServers() {
        String address = "redis://127.0.0.1:1";
        return Stream.of(
                choice(
                        "subscriptionMode is SLAVE: it must be MASTER",
                        config -> config.useSentinelServers()
                                .setMasterName("master")
                                .setSubscriptionMode(SubscriptionMode.SLAVE)
                                .addSentinelAddress(address)),
                choice(
                        "subscriptionMode is SLAVE: it must be MASTER",
                        config -> config.useMasterSlaveServers()
                                .setMasterAddress(address)
                                .setSubscriptionMode(SubscriptionMode.SLAVE)
                                .addSlaveAddress(address)),
                choice(
                        "subscriptionMode is SLAVE: it must be MASTER",
                        config -> config.useReplicatedServers()
                                .setSubscriptionMode(SubscriptionMode.SLAVE)
                                .addNodeAddress(address)));
    }

    private static Arguments choice(String named, Consumer<Config> choice) {
        return arguments(named, choice);
    }
}
