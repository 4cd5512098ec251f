package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection.Subscription;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A channel over connections that end, and with a listener that fails. */
class LettuceSubscriptionTest {
    private static final RedisServer REDIS = RedisServer.start();
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final FaultProxy proxy = FaultProxy.before(REDIS.port());
    private final LettuceConnection connection = LettuceConnection.open(Configs.endpoint(proxy.port(), TIMEOUT));
    /** The listener's calls, in order. */
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @AfterEach
    void close() {
        connection.close();
        proxy.close();
    }

    private Subscription subscribe() {
        return connection.subscribe(
                "c",
                new ChannelListener(
                        message -> {
                            told.add(message);
                            if (message.startsWith("bad")) {
                                throw new StackOverflowError("planted");
                            }
                        },
                        () -> told.add("interrupted"),
                        () -> told.add("back")));
    }

    private static void publish(String message) {
        assertThat(REDIS.command("PUBLISH", "c", message)).isEqualTo(1L);
    }

    private String next() throws InterruptedException {
        return String.valueOf(told.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void it_is_not_live_from_the_end_of_its_connection_until_the_server_has_confirmed_another_one() throws Exception {
        Subscription subscription = subscribe();
        assertThat(subscription.live()).isTrue();
        publish("one");
        assertThat(next()).isEqualTo("one");
        proxy.refuse();
        proxy.cut(ConnectionEnd.RST);
        assertThat(next()).isEqualTo("interrupted");
        assertThat(subscription.live()).isFalse();
        await().until(() -> proxy.refused() > 2);
        assertThat(subscription.live()).isFalse();
        assertThat(told).isEmpty();
        proxy.heal();
        assertThat(next()).isEqualTo("back");
        assertThat(subscription.live()).isTrue();
        publish("two");
        assertThat(next()).isEqualTo("two");
    }

    @Test
    void a_listener_that_throws_is_told_that_messages_may_be_missing_and_hears_the_next() throws Exception {
        Subscription subscription = subscribe();
        publish("bad");
        assertThat(next()).isEqualTo("bad");
        assertThat(next()).isEqualTo("interrupted");
        assertThat(next()).isEqualTo("back");
        assertThat(subscription.live()).isTrue();
        publish("good");
        assertThat(next()).isEqualTo("good");
    }

    @Test
    void a_reconnection_takes_new_sockets_and_leaves_the_old_ones() throws Exception {
        subscribe();
        String before = ids();
        connection.reconnect();
        assertThat(next()).isEqualTo("interrupted");
        assertThat(next()).isEqualTo("back");
        await().until(() -> ids().lines().noneMatch(before::contains));
        publish("one");
        assertThat(next()).isEqualTo("one");
    }

    @Test
    void nothing_is_told_after_it_was_closed() throws Exception {
        Subscription subscription = subscribe();
        connection.close();
        assertThat(subscription.live()).isFalse();
        await().until(() -> ids().isEmpty());
        assertThat(told.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }

    /** One line for each connection that listens. */
    private static String ids() {
        return String.valueOf(REDIS.command("CLIENT", "LIST", "TYPE", "pubsub")).replaceAll("(?m)^(id=\\d+ ).*$", "$1");
    }
}
