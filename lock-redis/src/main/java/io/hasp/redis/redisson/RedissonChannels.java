package io.hasp.redis.redisson;

import io.hasp.redis.server.ChannelConnector;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.redisson.client.ChannelName;
import org.redisson.client.RedisPubSubConnection;
import org.redisson.client.RedisPubSubListener;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.pubsub.PubSubType;

/**
 * Connections of Redisson that listen.
 *
 * @param connector makes a connection
 * @param longestConnect the longest time in which one is made, or fails
 * @param server in words
 */
record RedissonChannels(
        Supplier<CompletableFuture<RedisPubSubConnection>> connector,
        Duration longestConnect,
        String server,
        String channel)
        implements ChannelConnector {

    @Override
    public CompletableFuture<Connection> connect() {
        return connector.get().thenApply(connection -> new Connection(connection, channel));
    }

    @Override
    public RuntimeException failure(Throwable thrown) {
        return RedissonFailures.ofConnecting(server, thrown);
    }

    private static final class Connection implements ChannelConnector.Connection, RedisPubSubListener<Object> {
        private final RedisPubSubConnection connection;
        private final ChannelName channel;
        private volatile CompletableFuture<Void> confirmed = new CompletableFuture<>();
        private volatile Consumer<String> onMessage = message -> {};

        Connection(RedisPubSubConnection connection, String channel) {
            this.connection = connection;
            this.channel = new ChannelName(channel);
        }

        @Override
        public void listen(Consumer<String> messages, Runnable onEnd) {
            onMessage = messages;
            connection.addListener(channel, this);
            connection.getChannel().closeFuture().addListener(over -> {
                // Or Redisson would take another socket.
                connection.closeAsync();
                confirmed.completeExceptionally(closed());
                onEnd.run();
            });
        }

        @Override
        public CompletableFuture<Void> subscribe() {
            CompletableFuture<Void> next = new CompletableFuture<>();
            confirmed = next;
            CompletableFuture<Void> refused = new CompletableFuture<>();
            refused.whenComplete((done, failure) -> {
                if (failure != null) {
                    next.completeExceptionally(failure);
                }
            });
            connection.subscribe(refused, StringCodec.INSTANCE, channel);
            if (!isOpen()) {
                next.completeExceptionally(closed());
            }
            return next;
        }

        private static SocketException closed() {
            return new SocketException("the connection was closed");
        }

        @Override
        public void onStatus(PubSubType type, CharSequence name) {
            if (type == PubSubType.SUBSCRIBE) {
                confirmed.complete(null);
            }
        }

        @Override
        public void onMessage(CharSequence from, Object message) {
            onMessage.accept(String.valueOf(message));
        }

        @Override
        public boolean isOpen() {
            return connection.isOpen();
        }

        @Override
        public void close() {
            connection.closeAsync();
        }
    }
}
