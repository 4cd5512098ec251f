package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.jedis.CombiningPool;
import io.hasp.redis.jedis.FaultySocket.Steps;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.jedis.PollableConnection;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.redis.redlock.NodeSockets;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.RedlockNode;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.BackendContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/**
 * A JVM error (heap or stack) is thrown at every step between sending and the last reply, and while closing: no reply goes to
 * another request, no socket and no turn is lost, and calls work afterwards.
 */
@InTier(Tier.STANDARD)
class InjectedErrorTest extends EchoFixture {
    private static final int MOST_STEPS = 500;
    private static final int RANDOM = Tier.count(5_000, 100_000);
    private static final int THREADS = 4;

    private final Steps steps = new Steps();

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    private CombiningPool pool() {
        RedisEndpoint endpoint = Configs.endpoint(server, TIMEOUT);
        return new CombiningPool(
                "the server",
                TIMEOUT,
                () -> PollableConnection.to(
                        steps.sockets(server.port(), (int) TIMEOUT.toMillis()),
                        JedisSockets.client(endpoint),
                        endpoint.spin()),
                () -> {});
    }

    private static String through(CombiningPool pool, String text) {
        return pool.send(new CommandArguments(Protocol.Command.EVAL)
                        .add(ECHO.text())
                        .add(0)
                        .add(text))
                .join();
    }

    @Test
    void an_error_at_any_step_of_a_single_server_leaves_no_reply_to_the_next_request() {
        CombiningPool pool = pool();
        failsAtEveryStep(text -> through(pool, text));
        assertThat(steps.open()).as("sockets").isLessThanOrEqualTo(CombiningPool.SOCKETS);
        pool.close();
        assertThat(steps.open()).as("sockets after close").isZero();
    }

    @Test
    void random_errors_under_many_threads_of_a_single_server_mix_no_replies_up() throws Exception {
        CombiningPool pool = pool();
        failsAtRandom(text -> through(pool, text));
        assertThat(steps.open()).as("sockets").isLessThanOrEqualTo(CombiningPool.SOCKETS);
        pool.close();
        assertThat(steps.open()).as("sockets after close").isZero();
    }

    @Test
    void an_error_at_any_step_of_redlock_leaves_no_reply_to_the_next_request() {
        withNodes(this::failsAtEveryStep);
    }

    @Test
    void random_errors_under_many_threads_of_redlock_mix_no_replies_up() {
        withNodes(this::failsAtRandom);
    }

    /** Runs with the pool of a Redlock whose nodes are all the same server. */
    private void withNodes(CheckedConsumer test) {
        try (RealTiming timing = new RealTiming()) {
            BackendContext context = new BackendContext("faulty", timing, timing.threads());
            List<RedlockNode> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(new RedlockNode(
                        Configs.endpoint(server, TIMEOUT),
                        new LockKeys("hasp"),
                        ServerCheck.refusingEviction(""),
                        context,
                        new Silence(),
                        steps.sockets(server.port(), (int) TIMEOUT.toMillis())));
            }
            NodeSocketsPool pool = new NodeSocketsPool(nodes, TIMEOUT, context);
            nodes.forEach(RedlockNode::open);
            await().until(() -> nodes.stream().allMatch(RedlockNode::up));
            test.accept(text -> pool.with(sockets -> all(sockets, text)));
            soon().until(() -> nodes.stream().allMatch(RedlockNode::up));
            nodes.forEach(RedlockNode::close);
            pool.close();
            assertThat(steps.open()).as("sockets after close").isZero();
        }
    }

    /** What all nodes say, which is the same. */
    private static String all(NodeSockets sockets, String text) {
        NodeReplies replies = sockets.ask(
                new ScriptCall(ECHO, List.of(), List.of(text)),
                new NodeReplies(NODES, sockets.all(), () -> {}),
                NodeReplies::complete);
        String said = text;
        for (int i = 0; i < NODES; i++) {
            String reply = replies.reply(i);
            said = reply == null || reply.equals(text) ? said : reply;
        }
        if (replies.replied() < NODES) {
            assertThat(said).isEqualTo(text);
            throw RedisFailures.unreachable("a node", new IllegalStateException("no reply"));
        }
        return said;
    }

    @Test
    void an_error_while_a_pool_of_a_single_server_is_closed_leaves_no_socket_open() throws Exception {
        CombiningPool pool = pool();
        server.pause();
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < CombiningPool.SOCKETS; i++) {
            calls.add(threads.submit(() -> through(pool, "text")));
            int connected = i + 1;
            soon().until(() -> steps.open() == connected);
        }
        server.resume();
        for (Future<String> call : calls) {
            assertThat(call.get()).isEqualTo("text");
        }
        awaitNoThreadIn(CombiningPool.class);
        steps.failAt(1);
        closeWithError(pool::close);
    }

    /** A thread that has answered for others may still have a socket: the error would be that thread's, and not the closing one's. */
    private static void awaitNoThreadIn(Class<?> type) {
        soon().during(Duration.ofMillis(20))
                .until(() -> Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .noneMatch(frame -> frame.getClassName().startsWith(type.getName())));
    }

    @Test
    void an_error_while_redlock_is_closed_leaves_no_socket_open_and_no_thread() {
        try (RedlockWorld world = new RedlockWorld(NODES, UnaryOperator.identity())) {
            RedlockConfig config = RedlockConfig.of(URI.create(world.nodes.uri()));
            TestClient client = new TestClient(
                    context -> RedlockBackend.open(
                            config,
                            world.redlock(),
                            node -> steps.sockets(node.port(), (int) TIMEOUT.toMillis()),
                            context),
                    world.timing,
                    world.timing.threads());
            client.granted("a");
            client.release("a");
            soon().until(() -> steps.open() == 2 * NODES);
            steps.failAt(1);
            closeWithError(client::close);
            soon().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("hasp-redis-subscription")));
        }
    }

    private void closeWithError(Runnable close) {
        assertThatThrownBy(close::run).isInstanceOf(Error.class);
        assertThat(steps.errors()).isEqualTo(1);
        soon().untilAsserted(
                        () -> assertThat(steps.open()).as("sockets after close").isZero());
    }

    private void failsAtEveryStep(Echo echo) {
        assertThat(works(echo)).isTrue();
        boolean reached = true;
        for (int n = 1; reached && n < MOST_STEPS; n++) {
            steps.failAt(n);
            // The first breaks a socket, the next ones connect another or get its replies.
            works(echo);
            works(echo);
            works(echo);
            reached = !steps.heal();
            worksAgain(echo);
        }
        assertThat(steps.errors()).as("steps that failed").isBetween(20, MOST_STEPS - 2);
    }

    private void failsAtRandom(Echo echo) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            work.add(threads.submit(() -> {
                while (!over.get()) {
                    works(echo);
                }
            }));
        }
        for (int i = 0; i < RANDOM; i++) {
            if (i % 5 == 0) {
                steps.failAt(random.nextInt(1, 100));
            }
            works(echo);
        }
        steps.heal();
        over.set(true);
        for (Future<?> one : work) {
            one.get(30, TimeUnit.SECONDS);
        }
        assertThat(steps.errors()).isGreaterThan(100);
        worksAgain(echo);
    }

    /** For more calls than there are sockets or turns. */
    private void worksAgain(Echo echo) {
        soon().until(() -> works(echo));
        for (int i = 0; i < NodeSocketsPool.MOST + 1; i++) {
            assertThat(works(echo)).as("call %s after the error", i).isTrue();
        }
    }

    @FunctionalInterface
    private interface CheckedConsumer {
        void test(Echo echo) throws Exception;

        default void accept(Echo echo) {
            try {
                test(echo);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Silence implements RedlockNode.Listener {
        @Override
        public void message(RedlockNode node, String message) {}

        @Override
        public void returned() {}
    }
}
