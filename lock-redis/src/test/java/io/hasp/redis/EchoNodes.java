package io.hasp.redis;

import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.redis.redlock.NodeSocketsPool;
import io.hasp.redis.redlock.RedlockNode;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LuaScript;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import redis.clients.jedis.JedisSocketFactory;

/** The nodes of a Redlock that are all the same server, each behind a proxy, and what they answer to a text: the same. */
final class EchoNodes implements AutoCloseable {
    static final int NODES = 3;
    private static final LuaScript ECHO = LuaScript.of("return ARGV[1]");

    final List<FaultProxy> proxies = new ArrayList<>();
    final List<RedlockNode> nodes = new ArrayList<>();
    final NodeSocketsPool pool;
    private final List<Runnable> connecting = new ArrayList<>();
    private final RealTiming threads = new RealTiming();

    EchoNodes(RedisServer server, Duration nodeTimeout) {
        this(server, nodeTimeout, timing -> timing);
    }

    /** With another clock and scheduler than the real ones. */
    EchoNodes(RedisServer server, Duration nodeTimeout, UnaryOperator<Timing> how) {
        this(server, nodeTimeout, how, executor -> executor);
    }

    EchoNodes(RedisServer server, Duration nodeTimeout, UnaryOperator<Timing> how, UnaryOperator<Executor> where) {
        BackendContext context = new BackendContext("echo", how.apply(threads), where.apply(threads.threads()));
        for (int i = 0; i < NODES; i++) {
            FaultProxy proxy = FaultProxy.before(server.port());
            RedisEndpoint endpoint = Configs.endpoint(proxy.port(), nodeTimeout);
            JedisSocketFactory sockets = JedisSockets.of(endpoint);
            int node = i;
            proxies.add(proxy);
            connecting.add(() -> {});
            nodes.add(new RedlockNode(
                    endpoint, new LockKeys("hasp"), ServerCheck.refusingEviction(""), context, new Silence(), () -> {
                        connecting.get(node).run();
                        return sockets.createSocket();
                    }));
        }
        pool = new NodeSocketsPool(nodes, nodeTimeout, context);
        CompletableFuture.allOf(nodes.stream()
                        .map(node -> CompletableFuture.runAsync(node::open, task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
        await().until(() -> nodes.stream().allMatch(RedlockNode::up));
    }

    /** From now on this happens before a socket to that node is connected. */
    void beforeConnecting(int node, Runnable action) {
        connecting.set(node, action);
    }

    NodeReplies ask(String text, Predicate<NodeReplies> enough) {
        return pool.with(sockets -> sockets.ask(
                new ScriptCall(ECHO, List.of(), List.of(text)),
                new NodeReplies(NODES, sockets.all(), () -> {}),
                enough));
    }

    @Override
    public void close() {
        nodes.forEach(RedlockNode::close);
        pool.close();
        proxies.forEach(FaultProxy::close);
        threads.close();
    }

    private static final class Silence implements RedlockNode.Listener {
        @Override
        public void message(RedlockNode node, String message) {}

        @Override
        public void returned() {}
    }
}
