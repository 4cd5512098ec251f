package io.hasp.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.StackReserve;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Carries the commands through Lettuce, asynchronously and all on one connection; stages complete on its Netty threads. A
 * connection on which a command got no answer is left: the next command takes another one.
 */
public final class LettuceConnection implements RedisConnection {
    /** As with Jedis: an end that comes later is a failure, because the caller has waited enough. */
    private static final int PART_OF_TIMEOUT = 4;

    private final LettuceClient client;
    private final Optional<LettuceSentinels> sentinels;
    private final CommandConnection commands;
    private final CommandTimeouts timeouts;
    private final Queue<LettuceSubscription> subscriptions = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private LettuceConnection(LettuceClient client) {
        this.client = client;
        this.sentinels =
                client.uri().getSentinels().isEmpty() ? Optional.empty() : Optional.of(new LettuceSentinels(client));
        this.commands = new CommandConnection(client, () -> connect(client::connect));
        this.timeouts = new CommandTimeouts(client.commandTimeout());
    }

    /** A client of our own. */
    public static LettuceConnection open(RedisEndpoint endpoint) {
        return new LettuceConnection(LettuceClient.of(endpoint));
    }

    /** Connections of our own, on the threads and with the options of the application's client, which stays open. */
    public static LettuceConnection beside(RedisClient applications, RedisURI uri) {
        return new LettuceConnection(LettuceClient.beside(applications, uri));
    }

    private <T extends StatefulRedisConnection<String, String>> CompletableFuture<T> connect(
            Function<RedisURI, CompletableFuture<T>> connector) {
        return sentinels.isPresent() ? sentinels.get().connect(connector) : connector.apply(client.uri());
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        if (closed.get()) {
            return CompletableFuture.failedStage(RedisFailures.unreachable(server(), new SocketException("closed")));
        }
        try {
            StackReserve.require();
            Call call = new Call(command, script, keys, arguments);
            OrderedConnection open = commands.open();
            return open != null ? send(open, call) : connectAndSend(call);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(RedisFailures.silent(server(), e));
        }
    }

    private CompletionStage<String> send(OrderedConnection connection, Call call) {
        CompletableFuture<String> reply = call.on(connection);
        timeouts.watch(reply);
        return reply.handle((text, failure) -> {
            timeouts.forgetAnswered();
            if (failure == null) {
                return text;
            }
            if (!LettuceFailures.isErrorReply(failure) && commands.leave(connection)) {
                subscriptions.forEach(LettuceSubscription::replaceConnection);
            }
            throw LettuceFailures.ofCommand(server(), failure);
        });
    }

    /** The time counts from now; a command that is not sent by its end never is. */
    private CompletionStage<String> connectAndSend(Call call) {
        AtomicBoolean decided = new AtomicBoolean();
        return commands.connect()
                .handle((connection, failure) -> {
                    if (connection == null) {
                        throw LettuceFailures.ofConnecting(server(), failure);
                    }
                    return connection;
                })
                .thenCompose(connection ->
                        decided.compareAndSet(false, true) ? send(connection, call) : new CompletableFuture<>())
                .orTimeout(client.commandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        failure instanceof TimeoutException ? late(decided.compareAndSet(false, true)) : failure));
    }

    private RuntimeException late(boolean neverSent) {
        return neverSent
                ? RedisFailures.unreachable(server(), new SocketTimeoutException("connecting timed out"))
                : RedisFailures.silent(server(), new SocketTimeoutException("timed out"));
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        LettuceSubscription subscription =
                new LettuceSubscription(client, () -> connect(client::connectForMessages), channel, listener);
        subscriptions.add(subscription);
        boolean started = false;
        try {
            subscription
                    .start()
                    .copy()
                    .orTimeout(client.commandTimeout().multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            started = true;
            return subscription;
        } catch (CompletionException e) {
            throw LettuceFailures.ofConnecting(server(), e);
        } finally {
            if (!started) {
                subscription.close();
            }
        }
    }

    @Override
    public Duration resendsWithin() {
        return client.commandTimeout().dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public void reconnect() {
        commands.leave();
        subscriptions.forEach(LettuceSubscription::replaceConnection);
    }

    @Override
    public void onOtherServer(Runnable listener) {
        sentinels.ifPresent(known -> known.watch(() -> {
            commands.cut(RedisFailures.unreachable(server(), new SocketException("the master is another by now")));
            subscriptions.forEach(LettuceSubscription::leaveServer);
            listener.run();
        }));
    }

    @Override
    public boolean mayReplay() {
        return false;
    }

    @Override
    public Duration commandTimeout() {
        return client.commandTimeout();
    }

    @Override
    public String server() {
        return client.server();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            sentinels.ifPresent(LettuceSentinels::close);
            subscriptions.forEach(LettuceSubscription::close);
            try {
                client.close();
            } finally {
                timeouts.failAll();
            }
        }
    }

    /** What is sent. As bytes, because Lettuce takes a buffer for each text that it encodes itself. */
    private record Call(Command command, String script, List<String> keys, List<String> arguments) {
        CompletableFuture<String> on(OrderedConnection connection) {
            CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8)
                    .add(script.getBytes(UTF_8))
                    .add(keys.size());
            for (String key : keys) {
                all.add(key.getBytes(UTF_8));
            }
            for (String argument : arguments) {
                all.add(argument.getBytes(UTF_8));
            }
            CommandType type = command == Command.EVALSHA ? CommandType.EVALSHA : CommandType.EVAL;
            return connection.send(type, all);
        }
    }
}
