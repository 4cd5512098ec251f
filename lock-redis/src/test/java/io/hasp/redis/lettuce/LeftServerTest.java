package io.hasp.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.ReconnectingSubscription;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The master may become another one after a connection was checked. */
class LeftServerTest {
    @Test
    void a_connection_to_a_server_that_was_left_meanwhile_is_not_listened_to() {
        AtomicInteger connected = new AtomicInteger();
        AtomicReference<@Nullable ReconnectingSubscription> mine = new AtomicReference<>();
        try (RedisServer server = RedisServer.start()) {
            LettuceClient client = LettuceClient.of(Configs.endpoint(server, Duration.ofSeconds(10)));
            ReconnectingSubscription subscription = new ReconnectingSubscription(
                    new LettuceChannels(
                            client,
                            () -> client.connectForMessages(client.uri()).thenApply(connection -> {
                                if (connected.incrementAndGet() == 1) {
                                    Objects.requireNonNull(mine.get()).leaveServer();
                                }
                                return connection;
                            }),
                            "news"),
                    Duration.ofSeconds(10),
                    new ChannelListener(message -> {}, () -> {}, () -> {}));
            mine.set(subscription);
            try {
                subscription.start(Duration.ofSeconds(20));
                assertThat(connected).hasValue(2);
                await().untilAsserted(() -> assertThat(server.command("PUBSUB", "NUMSUB", "news"))
                        .asString()
                        .contains("1"));
            } finally {
                subscription.close();
                client.close();
            }
        }
    }
}
