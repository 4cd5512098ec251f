package io.hasp.redis;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockScripts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Some nodes, and clients that reach them through proxies or directly; all closed together. */
final class RedlockWorld implements AutoCloseable {
    private static final Duration PATIENT = Duration.ofSeconds(5);

    final RedlockServers nodes;
    final List<FaultProxy> proxies = new ArrayList<>();
    final RealTiming timing = new RealTiming();
    private final List<TestClient> clients = new ArrayList<>();
    private final UnaryOperator<RedlockProtocol> how;

    /** {@code how} makes a wrong Redlock of the right one. */
    RedlockWorld(int count, UnaryOperator<RedlockProtocol> how, String... options) {
        this.nodes = RedlockServers.start(count, options);
        this.how = how;
    }

    RedisServer node(int i) {
        return nodes.node(i);
    }

    /** A client without anything between, so patient that a busy machine is no dead node. */
    TestClient client() {
        return client(PATIENT);
    }

    TestClient client(Duration nodeTimeout) {
        return open(new RedlockConfig(
                nodes.nodes().stream()
                        .map(node -> RedisConfig.of("127.0.0.1", node.port()))
                        .toList(),
                nodeTimeout));
    }

    /** A client behind proxies, {@code proxies.get(i)} before node {@code i}. */
    TestClient behindProxies(Duration nodeTimeout) {
        List<RedisConfig> addresses = new ArrayList<>();
        for (RedisServer node : nodes.nodes()) {
            FaultProxy proxy = FaultProxy.before(node.port());
            proxies.add(proxy);
            addresses.add(RedisConfig.of("127.0.0.1", proxy.port()));
        }
        return open(new RedlockConfig(addresses, nodeTimeout));
    }

    RedlockProtocol redlock() {
        return how.apply(new RedlockProtocol(Quorum.of(nodes.nodes().size()), RedlockScripts.standard(), timing));
    }

    TestClient open(RedlockConfig config) {
        TestClient client =
                new TestClient(context -> RedlockBackend.open(config, redlock(), context), timing, timing.threads());
        clients.add(client);
        return client;
    }

    /** The number of nodes on which the lock of {@link TestClient} has a holder. */
    long held() {
        return nodes.having(TestClient.KEY);
    }

    @Override
    public void close() {
        clients.forEach(TestClient::close);
        proxies.forEach(FaultProxy::close);
        timing.close();
        nodes.nodes().forEach(RedisServer::resume);
        nodes.close();
    }
}
