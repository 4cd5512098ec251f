package io.hasp.redis.jedis;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelConnector;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.ClientThreads;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;

/**
 * Sockets of Jedis that listen to a channel. Each has a thread of its own, which connects, reads, and ends with the socket.
 *
 * @param server in words
 * @param longestConnect the longest time until a socket is connected or fails
 * @param sockets connects
 */
public record JedisChannels(
        String server, Duration longestConnect, Supplier<PollableConnection> sockets, String channel)
        implements ChannelConnector {

    @Override
    public CompletableFuture<ChannelConnector.Connection> connect() {
        CompletableFuture<ChannelConnector.Connection> connected = new CompletableFuture<>();
        ClientThreads.daemon(() -> connectAndRead(connected), "hasp-redis-subscription")
                .start();
        return connected;
    }

    private void connectAndRead(CompletableFuture<ChannelConnector.Connection> connected) {
        Connection connection;
        try {
            connection = new Connection(sockets.get(), channel);
        } catch (RuntimeException | Error e) {
            connected.completeExceptionally(e);
            return;
        }
        connected.complete(connection);
        connection.read();
    }

    @Override
    public RuntimeException failure(Throwable thrown) {
        Throwable cause = BackendFailure.causeOf(thrown);
        if (cause instanceof TimeoutException) {
            return RedisFailures.unreachable(server, new TimeoutException("it does not confirm the subscription"));
        }
        return cause instanceof RuntimeException failure
                ? JedisFailures.notConnected(server, failure)
                : RedisFailures.unreachable(server, cause);
    }

    private static final class Connection extends JedisPubSub implements ChannelConnector.Connection {
        private final PollableConnection socket;
        private final String channel;
        /** Done with the first request. */
        private final CompletableFuture<Void> requested = new CompletableFuture<>();

        private volatile CompletableFuture<Void> confirmed = new CompletableFuture<>();
        private volatile Consumer<String> onMessage = message -> {};
        private volatile Runnable onEnd = () -> {};
        private volatile @Nullable Throwable ended;

        Connection(PollableConnection socket, String channel) {
            this.socket = socket;
            this.channel = channel;
        }

        @Override
        public void listen(Consumer<String> messages, Runnable end) {
            onMessage = messages;
            onEnd = end;
        }

        void read() {
            Throwable why = new SocketException("the connection was closed");
            try {
                requested.join();
                proceed(socket, channel);
            } catch (RuntimeException | Error e) {
                why = e;
            } finally {
                socket.cut();
                ended = why;
                confirmed.completeExceptionally(why);
                onEnd.run();
            }
        }

        /** A request behind the first one is sent by the caller's thread, while the own thread reads. */
        @Override
        public CompletableFuture<Void> subscribe() {
            CompletableFuture<Void> next = new CompletableFuture<>();
            confirmed = next;
            if (!requested.complete(null)) {
                subscribe(channel);
            }
            Throwable why = ended;
            if (why != null) {
                next.completeExceptionally(why);
            }
            return next;
        }

        @Override
        public void onSubscribe(String name, int count) {
            confirmed.complete(null);
        }

        @Override
        public void onMessage(String name, String message) {
            onMessage.accept(message);
        }

        @Override
        public boolean isOpen() {
            return ended == null;
        }

        @Override
        public void close() {
            socket.cut();
            requested.completeExceptionally(new SocketException("the connection was closed"));
        }
    }
}
