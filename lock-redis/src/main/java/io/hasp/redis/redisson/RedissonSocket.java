package io.hasp.redis.redisson;

import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisConnection.Evaluation;
import io.netty.channel.Channel;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisConnection;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisStrictCommand;

/**
 * A connection of Redisson's that has one socket in its life: where Redisson would take another one, it is closed. What is under way then
 * fails at once; Redisson would leave it to its timeout. Thread-safe.
 */
final class RedissonSocket {
    private static final RedisCommand<Object> EVAL = new RedisCommand<>("EVAL");
    private static final RedisCommand<Object> EVALSHA = new RedisCommand<>("EVALSHA");
    private static final RedisStrictCommand<String> ASKING = new RedisStrictCommand<>("ASKING");
    private static final RedisStrictCommand<Long> WAIT = new RedisStrictCommand<>("WAIT");

    private final RedisConnection connection;
    private final Channel channel;
    private final Duration timeout;
    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

    /** One that is connected, with a timeout for each reply. */
    RedissonSocket(RedisConnection connection, Duration timeout) {
        this.connection = connection;
        this.channel = connection.getChannel();
        this.timeout = timeout;
        channel.closeFuture().addListener(closed -> ended());
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    CompletableFuture<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return send(command == Command.EVALSHA ? EVALSHA : EVAL, parameters(script, keys, arguments));
    }

    /** The same behind {@code ASKING}; no other command comes between the two, because both are written in one step. */
    CompletableFuture<String> evaluateAsking(
            Command command, String script, List<String> keys, List<String> arguments) {
        CompletableFuture<String> reply = new CompletableFuture<>();
        channel.eventLoop().execute(() -> {
            send(ASKING);
            this.<String>send(command == Command.EVALSHA ? EVALSHA : EVAL, parameters(script, keys, arguments))
                    .whenComplete((text, failure) -> {
                        if (failure == null) {
                            reply.complete(text);
                        } else {
                            reply.completeExceptionally(failure);
                        }
                    });
        });
        return reply.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** For a caller with exclusive use of the socket: the replies to scripts and to a {@code WAIT} behind them. */
    CompletableFuture<Long> evaluateAndWait(
            List<Evaluation> calls, List<CompletableFuture<String>> scripts, int replicas, Duration within) {
        for (Evaluation call : calls) {
            if (call.asking()) {
                send(ASKING);
            }
            scripts.add(send(EVALSHA, parameters(call.digest(), call.keys(), call.arguments())));
        }
        return send(WAIT, replicas, within.toMillis());
    }

    private static Object[] parameters(String script, List<String> keys, List<String> arguments) {
        List<Object> all = new ArrayList<>(2 + keys.size() + arguments.size());
        all.add(script);
        all.add(keys.size());
        all.addAll(keys);
        all.addAll(arguments);
        return all.toArray();
    }

    @SuppressWarnings("CollectionUndefinedEquality") // One is equal to itself only, as is meant.
    private <T> CompletableFuture<T> send(RedisCommand<?> command, Object... parameters) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        underWay.add(reply);
        reply.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((answer, failure) -> underWay.remove(reply));
        connection
                .send(new CommandData<>(reply, StringCodec.INSTANCE, command, parameters))
                .addListener(written -> {
                    if (!written.isSuccess()) {
                        reply.completeExceptionally(closed(written.cause()));
                    }
                });
        if (!channel.isOpen()) {
            reply.completeExceptionally(closed(null));
        }
        return reply;
    }

    private void ended() {
        // Or Redisson would take another socket.
        connection.closeAsync();
        underWay.forEach(reply -> reply.completeExceptionally(closed(null)));
    }

    private static SocketException closed(@Nullable Throwable cause) {
        SocketException closed = new SocketException("the connection was closed");
        if (cause != null) {
            closed.addSuppressed(cause);
        }
        return closed;
    }

    /** Does not wait. */
    void close() {
        connection.closeAsync();
    }
}
