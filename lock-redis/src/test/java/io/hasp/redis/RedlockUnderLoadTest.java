package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.RedlockNode;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Effects of one node, one lock or one crowd on all the others. */
@InTier(Tier.FULL)
class RedlockUnderLoadTest {
    private static final int NODES = 3;
    private static final int CYCLES = 3_000;
    /** A request, a token, a release. */
    private static final int SCRIPTS_OF_A_CYCLE = 3;

    private static final int THREADS = 8;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger names = new AtomicInteger();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static RedlockWorld world() {
        return new RedlockWorld(NODES, UnaryOperator.identity());
    }

    /** Takes a lock of its own and gives it back. */
    private void cycle(TestClient client) {
        String text = "n" + names.incrementAndGet();
        Claim claim = Claim.renewedLease(new LockName(text), new HolderId(text), TestClient.LEASE, false);
        Attempt attempt = TestClient.answer(client.backend.acquire(claim, s -> {}));
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        assertThat(TestClient.answer(client.backend.release(claim))).isEqualTo(Released.RELEASED);
    }

    @Test
    void a_node_that_stood_still_gets_no_release_of_a_holder_that_it_never_knew() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(RedlockServers.NODE_TIMEOUT);
            cycle(client);
            world.node(0).pause();
            int until = cyclesUntilNoticed(client);
            int most = SCRIPTS_OF_A_CYCLE * until;
            int further = Math.max(CYCLES, 2 * most);
            for (int i = 0; i < further; i++) {
                cycle(client);
            }
            world.node(0).resume();
            world.node(0).command("CONFIG", "RESETSTAT");
            client.granted("a");
            await().until(() -> {
                client.renew(client.granted("a"));
                return world.held() == NODES;
            });
            assertThat(scripts(world.node(0)))
                    .as("scripts that the node ran, which was asked in %s cycles and not in %s others", until, further)
                    .isLessThan(most + further / 2);
        }
    }

    /** Cycles until a node that stands still is not asked any more. */
    private int cyclesUntilNoticed(TestClient client) {
        long end =
                System.nanoTime() + RedlockServers.NODE_TIMEOUT.multipliedBy(2).toNanos();
        int cycles = 0;
        while (System.nanoTime() - end < 0) {
            cycle(client);
            cycles++;
        }
        return cycles;
    }

    private static long scripts(RedisServer node) {
        String stats = String.valueOf(node.command("INFO", "commandstats"));
        return Long.parseLong(stats.replaceAll("(?s).*cmdstat_evalsha:calls=(\\d+),.*", "$1"));
    }

    @Test
    void when_a_second_node_dies_the_one_that_stood_still_is_in_use_again() throws Exception {
        try (RedlockWorld world = world()) {
            TestClient client = world.client(RedlockServers.NODE_TIMEOUT);
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger done = new AtomicInteger();
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                load.add(threads.submit(() -> {
                    while (!over.get()) {
                        try {
                            cycle(client);
                            done.incrementAndGet();
                        } catch (BackendFailure e) {
                            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                        }
                    }
                }));
            }
            world.node(0).pause();
            // How fast they are on a busy machine is not the question.
            await().atMost(Duration.ofMinutes(1))
                    .failFast(() -> load.stream().anyMatch(Future::isDone))
                    .until(() -> done.get() > 2 * CYCLES);
            world.node(0).resume();
            // It answers probes at once; what it is owed must not keep it out.
            await().until(() -> scripts(world.node(0)) > 10);
            world.node(1).kill();
            int before = done.get();
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(5)).until(() -> done.get() > before + 10 * THREADS);
            Duration outage = Duration.ofNanos(System.nanoTime() - start);
            over.set(true);
            for (Future<?> one : load) {
                one.get(30, TimeUnit.SECONDS);
            }
            assertThat(outage)
                    .isLessThan(RedlockServers.NODE_TIMEOUT.multipliedBy(4).plusSeconds(2));
        }
    }

    @Test
    void a_foreign_key_fails_its_own_lock_and_leaves_the_nodes_to_the_others() {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            cycle(client);
            world.nodes.nodes().forEach(node -> node.command("SET", RedlockServers.key("foreign"), "not a lock"));
            long before = connections(world);
            LockName foreign = new LockName("foreign");
            for (int i = 0; i < 50; i++) {
                Claim claim = Claim.renewedLease(foreign, new HolderId("f" + i), TestClient.LEASE, false);
                assertThat(catchThrowableOfType(
                                        BackendFailure.class, () -> TestClient.answer(client.backend.release(claim)))
                                .kind())
                        .isEqualTo(Kind.INCOMPATIBLE);
                cycle(client);
            }
            assertThat(connections(world) - before).as("new connections").isLessThan(10);
        }
    }

    private static long connections(RedlockWorld world) {
        return world.nodes.nodes().stream()
                .mapToLong(node -> Long.parseLong(String.valueOf(node.command("INFO", "stats"))
                        .replaceAll("(?s).*total_connections_received:(\\d+).*", "$1")))
                .sum();
    }

    /** All sockets are in use for longer than any patience with them; nothing is wrong with the nodes. */
    @Test
    void a_caller_that_waits_for_other_callers_is_not_told_of_an_outage() throws Exception {
        Duration nodeTimeout = Duration.ofMillis(10);
        try (RealTiming timing = new RealTiming()) {
            RedisConfig nowhere = Configs.at(1, RedisConfig.Library.JEDIS, nodeTimeout);
            BackendContext context = new BackendContext("crowd", timing, timing.threads());
            RedlockNode node = new RedlockNode(
                    nowhere.endpoint(),
                    new LockKeys(nowhere.locks().keyPrefix()),
                    ServerCheck.refusingEviction(""),
                    context,
                    new NoListener(),
                    JedisSockets.of(nowhere.endpoint()));
            NodeSocketsPool pool = new NodeSocketsPool(List.of(node), nodeTimeout, context);
            CountDownLatch occupied = new CountDownLatch(NodeSocketsPool.MOST);
            CountDownLatch go = new CountDownLatch(1);
            List<Future<Boolean>> occupants = new ArrayList<>();
            for (int i = 0; i < NodeSocketsPool.MOST; i++) {
                occupants.add(threads.submit(() -> pool.with(sockets -> {
                    occupied.countDown();
                    return awaitUninterruptibly(go);
                })));
            }
            occupied.await();
            Thread[] waiting = new Thread[1];
            Future<String> waiter = threads.submit(() -> {
                waiting[0] = Thread.currentThread();
                return pool.with(sockets -> "in turn");
            });
            await().until(() -> waiting[0] != null && waiting[0].getState() != Thread.State.RUNNABLE);
            assertThat(waiter).as("the one that has to wait").isNotDone();
            await().during(nodeTimeout.multipliedBy(20)).until(() -> !go.await(0, TimeUnit.SECONDS));
            go.countDown();
            assertThat(waiter.get(10, TimeUnit.SECONDS)).isEqualTo("in turn");
            for (Future<Boolean> one : occupants) {
                assertThat(one.get(10, TimeUnit.SECONDS)).isTrue();
            }
            pool.close();
        }
    }

    private static boolean awaitUninterruptibly(CountDownLatch latch) {
        try {
            return latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void fa12_a_wrong_password_is_denied_at_every_connect() {
        try (RedlockWorld world = world()) {
            world.nodes.nodes().forEach(node -> node.command("CONFIG", "SET", "requirepass", "secret"));
            String uri = world.nodes.uri().replace("redlock://", "redlock://:wrong@");
            for (int i = 0; i < 100; i++) {
                BackendFailure failure = catchThrowableOfType(
                        BackendFailure.class,
                        () -> new TestClient(
                                RedlockBackend.on(RedlockConfig.of(URI.create(uri))),
                                world.timing,
                                world.timing.threads()));
                assertThat(failure.kind()).as("connect %s: %s", i, failure).isEqualTo(Kind.DENIED);
            }
        }
    }

    /** One node refuses and the others only stay silent: the refusal is what has to be mended. */
    @Test
    void fa12_a_refusal_that_comes_late_is_not_an_outage() throws Exception {
        Duration nodeTimeout = Duration.ofMillis(300);
        try (RedlockWorld world = world()) {
            List<RedisConfig> addresses = new ArrayList<>();
            world.nodes.nodes().forEach(node -> {
                node.command("CONFIG", "SET", "requirepass", "secret");
                FaultProxy proxy = FaultProxy.before(node.port());
                proxy.set(TrafficPolicy.HOLD);
                world.proxies.add(proxy);
                addresses.add(RedisConfig.of("127.0.0.1", proxy.port()));
            });
            Future<BackendFailure> opened = threads.submit(() -> catchThrowableOfType(
                    BackendFailure.class,
                    () -> new TestClient(
                            RedlockBackend.on(new RedlockConfig(addresses, nodeTimeout)),
                            world.timing,
                            world.timing.threads())));
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> world.proxies.get(0).connections().size() > 1);
            world.proxies.get(0).heal();
            assertThat(opened.get(30, TimeUnit.SECONDS).kind()).isEqualTo(Kind.DENIED);
        }
    }

    /** Open sockets go on; a call that needs another one is refused, and so is every later call. */
    @Test
    void fa12_a_password_that_was_changed_is_never_an_outage() throws Exception {
        try (RedlockWorld world = world()) {
            TestClient client = world.client();
            cycle(client);
            world.nodes.nodes().forEach(node -> node.command("CONFIG", "SET", "requirepass", "secret"));
            Map<String, Integer> kinds = new ConcurrentHashMap<>();
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                work.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        try {
                            cycle(client);
                        } catch (BackendFailure e) {
                            kinds.merge(e.kind() == Kind.DENIED ? "DENIED" : e.toString(), 1, Integer::sum);
                        }
                    }
                }));
            }
            for (Future<?> one : work) {
                one.get(1, TimeUnit.MINUTES);
            }
            assertThat(kinds).containsOnlyKeys("DENIED");
        }
    }

    private static final class NoListener implements RedlockNode.Listener {
        @Override
        public void message(RedlockNode node, String message) {}

        @Override
        public void returned() {}
    }
}
