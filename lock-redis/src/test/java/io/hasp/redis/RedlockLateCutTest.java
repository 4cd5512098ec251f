package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.redis.jedis.JedisSockets;
import io.hasp.spi.Released;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A connection ends while no call waits for its replies any more: the next call on it finds that out. */
class RedlockLateCutTest {
    private static final int NODES = 3;
    private static final int SLOW = 2;
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private final List<BreakingSocket> made = new CopyOnWriteArrayList<>();

    @Test
    void a_late_reply_that_is_cut_off_leaves_no_socket_behind() {
        try (RedlockWorld world = new RedlockWorld(NODES, UnaryOperator.identity())) {
            int slow = world.node(SLOW).port();
            RedlockConfig config = new RedlockConfig(
                    world.nodes.nodes().stream()
                            .map(node -> RedisConfig.of("127.0.0.1", node.port()))
                            .toList(),
                    PATIENT);
            try (TestClient client = new TestClient(
                    context -> RedlockBackend.open(
                            config,
                            world.redlock(),
                            node -> node.port() == slow ? breaking(slow) : JedisSockets.of(node),
                            context),
                    world.timing,
                    world.timing.threads())) {
                client.granted("a");
                await().until(() -> world.held() == NODES);
                world.node(SLOW).pause();
                assertThat(client.release("a")).isEqualTo(Released.RELEASED);
                int before = made.size();
                made.forEach(socket -> socket.broken = true);
                world.node(SLOW).resume();

                client.granted("b");

                assertThat(made).hasSize(before + 1);
                await().until(() -> world.held() == NODES);
                assertThat(client.release("b")).isEqualTo(Released.RELEASED);
                await().until(() -> world.held() == 0);
            }
            await().until(() -> made.stream().allMatch(Socket::isClosed));
        }
    }

    private JedisSocketFactory breaking(int port) {
        return () -> {
            try {
                BreakingSocket socket = new BreakingSocket();
                made.add(socket);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENT.toMillis());
                socket.setSoTimeout((int) PATIENT.toMillis());
                return socket;
            } catch (IOException e) {
                throw new JedisConnectionException(e);
            }
        };
    }

    /** A real socket that looks reset from some time on. */
    private static final class BreakingSocket extends Socket {
        volatile boolean broken;

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int available() throws IOException {
                    if (broken) {
                        throw new SocketException("Connection reset");
                    }
                    return in.available();
                }
            };
        }
    }
}
