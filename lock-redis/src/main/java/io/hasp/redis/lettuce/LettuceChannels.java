package io.hasp.redis.lettuce;

import io.hasp.redis.server.ChannelConnector;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Connections of Lettuce that listen.
 *
 * @param client has the threads
 * @param connector makes a connection
 */
record LettuceChannels(
        LettuceClient client,
        Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>> connector,
        String channel)
        implements ChannelConnector {

    @Override
    public CompletableFuture<Connection> connect() {
        return connector.get().thenApply(connection -> new Connection(client, connection, channel));
    }

    @Override
    public Duration longestConnect() {
        return client.longestConnect();
    }

    @Override
    public void later(Duration pause, Runnable task) {
        client.later(pause, task);
    }

    @Override
    public RuntimeException failure(Throwable thrown) {
        return LettuceFailures.ofConnecting(client.server(), thrown);
    }

    record Connection(LettuceClient client, StatefulRedisPubSubConnection<String, String> connection, String channel)
            implements ChannelConnector.Connection {

        @Override
        public void listen(Consumer<String> onMessage, Runnable onEnd) {
            connection.addListener(new RedisConnectionStateListener() {
                @Override
                public void onRedisDisconnected(RedisChannelHandler<?, ?> ended) {
                    onEnd.run();
                }
            });
            RedisPubSubListener<String, String> messages = new RedisPubSubAdapter<>() {
                @Override
                public void message(String from, String message) {
                    onMessage.accept(message);
                }
            };
            connection.addListener(messages);
        }

        @Override
        public CompletableFuture<Void> subscribe() {
            return connection.async().subscribe(channel).toCompletableFuture().copy();
        }

        @Override
        public boolean isOpen() {
            return connection.isOpen();
        }

        @Override
        public void close() {
            client.closeNow(connection::closeAsync);
        }
    }
}
