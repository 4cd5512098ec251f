package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The thread of a subscription survives errors, and ends with the subscription. */
class JedisSubscriptionTest {
    private static final String CHANNEL = "news";
    private static final RedisEndpoint NONE = Configs.endpoint(1, Duration.ofSeconds(5));

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RedisEndpoint endpoint() {
        return Configs.endpoint(server, Duration.ofSeconds(5));
    }

    private static boolean somebodyListens() {
        return Long.valueOf(1).equals(server.command("PUBLISH", CHANNEL, "ping"));
    }

    @Test
    void an_error_of_a_listener_costs_a_moment_and_not_the_subscription() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        AtomicInteger interrupted = new AtomicInteger();
        AtomicInteger returned = new AtomicInteger();
        JedisConnection connection = new JedisConnection(endpoint());
        try {
            RedisConnection.Subscription subscription = connection.subscribe(
                    CHANNEL,
                    new ChannelListener(
                            message -> {
                                if (message.startsWith("fail")) {
                                    throw message.endsWith("heap") ? new OutOfMemoryError() : new StackOverflowError();
                                }
                                heard.add(message);
                            },
                            interrupted::incrementAndGet,
                            returned::incrementAndGet));
            for (String failure : new String[] {"fail: heap", "fail: stack"}) {
                int before = returned.get();
                server.command("PUBLISH", CHANNEL, failure);
                await().atMost(Duration.ofSeconds(5)).until(() -> returned.get() > before && subscription.live());
                heard.clear();
                assertThat(somebodyListens()).isTrue();
                await().until(() -> heard.contains("ping"));
                assertThat(interrupted).hasValue(returned.get());
            }
        } finally {
            connection.close();
        }
    }

    /** The master may become another one after the socket was checked. */
    @Test
    void a_socket_to_a_server_that_was_left_meanwhile_is_not_listened_to() {
        AtomicInteger connected = new AtomicInteger();
        AtomicReference<@Nullable ReconnectingSubscription> mine = new AtomicReference<>();
        Supplier<PollableConnection> sockets =
                JedisSockets.connecting(endpoint(), JedisSockets.of(endpoint()), Duration.ZERO);
        ReconnectingSubscription subscription = subscription(Duration.ofSeconds(10), () -> {
            PollableConnection socket = sockets.get();
            if (connected.incrementAndGet() == 1) {
                Objects.requireNonNull(mine.get()).leaveServer();
            }
            return socket;
        });
        mine.set(subscription);
        try {
            subscription.start(Duration.ofSeconds(20));
            assertThat(connected).hasValue(2);
        } finally {
            subscription.close();
        }
    }

    /** Jedis asks for no limit of a read just before it subscribes. */
    private static final class Hooked extends Socket {
        private final Runnable beforeSubscribing;

        Hooked(Runnable beforeSubscribing) {
            this.beforeSubscribing = beforeSubscribing;
        }

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            if (millis == 0) {
                beforeSubscribing.run();
            }
            if (!isClosed()) {
                super.setSoTimeout(millis);
            }
        }
    }

    @Test
    void a_subscription_that_is_closed_just_before_it_subscribes_leaves_no_thread_behind() {
        AtomicReference<@Nullable ReconnectingSubscription> subscription = new AtomicReference<>();
        JedisSocketFactory sockets = () -> {
            Socket socket =
                    new Hooked(() -> Objects.requireNonNull(subscription.get()).close());
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 5_000);
                socket.setSoTimeout(5_000);
                return socket;
            } catch (IOException e) {
                throw new JedisConnectionException(e);
            }
        };
        ReconnectingSubscription mine = subscription(
                Duration.ofMillis(500), () -> PollableConnection.to(sockets, JedisSockets.client(NONE), Duration.ZERO));
        subscription.set(mine);
        try {
            mine.start(Duration.ofSeconds(1));
        } catch (RuntimeException e) {
            // The socket was closed.
        }
        assertThat(mine.live()).isFalse();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("hasp-redis-subscription")));
        assertThat(somebodyListens()).isFalse();
    }

    private static ReconnectingSubscription subscription(Duration timeout, Supplier<PollableConnection> sockets) {
        return new ReconnectingSubscription(
                new JedisChannels("the server", timeout, sockets, CHANNEL),
                timeout,
                new ChannelListener(message -> {}, () -> {}, () -> {}));
    }
}
