package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A node that stands still reads nothing; sooner or later its socket takes no more, and a write has no timeout of its own. */
@InTier(Tier.STANDARD)
class RedlockFullBufferTest {
    private static final int NODES = 3;
    /** Generous: each request keeps a node busy for many milliseconds. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(2);
    /** Of 150 kB each; the buffers hold hardly more than one. */
    private static final int RENEWALS = 20;

    private static final int SEND_BUFFER = 8192;

    @Test
    void renewals_go_on_when_the_socket_to_a_node_that_stands_still_takes_no_more() throws Exception {
        try (RedlockWorld world = new RedlockWorld(NODES, UnaryOperator.identity());
                TestClient client = client(world)) {
            List<Grant> held = new ArrayList<>();
            for (int i = 0; i < LockBackend.MOST_RENEWED_AT_ONCE; i++) {
                LockName name = new LockName("n".repeat(500) + i);
                Claim claim = Claim.renewedLease(name, new HolderId("h" + i), TestClient.LEASE, false);
                held.add(((Attempt.Granted) client.acquire(claim)).grant());
            }
            world.node(0).pause();
            CompletableFuture<Duration> longest = CompletableFuture.supplyAsync(() -> renewed(client, held));
            assertThat(longest.get(20, TimeUnit.SECONDS)).isLessThan(NODE_TIMEOUT.multipliedBy(3));
        }
    }

    private static TestClient client(RedlockWorld world) {
        RedlockConfig config = new RedlockConfig(
                world.nodes.nodes().stream()
                        .map(node -> RedisConfig.of("127.0.0.1", node.port()))
                        .toList(),
                NODE_TIMEOUT);
        return new TestClient(
                context -> RedlockBackend.open(config, world.redlock(), RedlockFullBufferTest::sockets, context),
                world.timing,
                world.timing.threads());
    }

    private static JedisSocketFactory sockets(RedisEndpoint node) {
        JedisSocketFactory usual = JedisSockets.of(node);
        return () -> {
            Socket socket = usual.createSocket();
            try {
                socket.setSendBufferSize(SEND_BUFFER);
            } catch (SocketException e) {
                throw new JedisConnectionException(e);
            }
            return socket;
        };
    }

    private static Duration renewed(TestClient client, List<Grant> held) {
        long longest = 0;
        for (int i = 0; i < RENEWALS; i++) {
            long start = System.nanoTime();
            List<Renewal> renewals = TestClient.answer(client.backend.renew(held));
            longest = Math.max(longest, System.nanoTime() - start);
            assertThat(renewals).allMatch(Renewal.Renewed.class::isInstance);
        }
        return Duration.ofNanos(longest);
    }
}
