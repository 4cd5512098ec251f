package io.hasp.redis.lettuce;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerIdentity;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Carries the commands through Lettuce, asynchronously and all on one connection; stages complete on its Netty threads. A connection on
 * which a command got no answer is abandoned: the next command takes another connection.
 */
public final class LettuceConnection implements NodeConnection {
    /** As with Jedis: an end that comes later is a failure, because the caller has waited enough. */
    private static final int PART_OF_TIMEOUT = 4;

    private final LettuceClient client;
    private final Optional<LettuceSentinels> sentinels;
    private final ServerIdentity identity = new ServerIdentity();
    private final CommandConnection commands;
    private final CommandTimeouts timeouts;
    private final Queue<ReconnectingSubscription> subscriptions = new ConcurrentLinkedQueue<>();
    private final Queue<LettuceAcknowledging> acknowledging = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    LettuceConnection(LettuceClient client) {
        this.client = client;
        this.sentinels =
                client.uri().getSentinels().isEmpty() ? Optional.empty() : Optional.of(new LettuceSentinels(client));
        this.commands = new CommandConnection(client, () -> connect(client::connect));
        this.timeouts = new CommandTimeouts(client.commandTimeout());
    }

    /** Creates a connection with a Lettuce client of its own. */
    public static LettuceConnection open(RedisEndpoint endpoint) {
        return new LettuceConnection(LettuceClient.of(endpoint));
    }

    /** Creates connections on the threads and with the options of the application's client, which stays open. */
    public static LettuceConnection beside(RedisClient applications, RedisURI uri) {
        return new LettuceConnection(LettuceClient.beside(applications.getResources(), applications.getOptions(), uri));
    }

    /** Returns the command timeout of connections beside an application's client. */
    public static Duration commandTimeout(RedisURI uri) {
        return LettuceClient.timeout(uri);
    }

    private <T extends StatefulRedisConnection<String, String>> CompletableFuture<T> connect(
            Function<RedisURI, CompletableFuture<T>> connector) {
        return sentinels.isPresent()
                ? sentinels.get().connect(connector)
                : connector
                        .apply(client.uri())
                        .thenCompose(connection -> client.identified(
                                connection, Optional.of(ServerIdentity.SECTION), identity::connected));
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return evaluate(new EvalCall(command, script, keys, arguments, false));
    }

    @Override
    public CompletionStage<String> evaluateAsking(
            Command command, String script, List<String> keys, List<String> arguments) {
        return evaluate(new EvalCall(command, script, keys, arguments, true));
    }

    private CompletionStage<String> evaluate(EvalCall call) {
        if (closed.get()) {
            return CompletableFuture.failedStage(RedisFailures.unreachable(server(), new SocketException("closed")));
        }
        try {
            OrderedConnection open = commands.open();
            return open != null ? send(open, call) : connectAndSend(call);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(RedisFailures.silent(server(), e));
        }
    }

    private CompletionStage<String> send(OrderedConnection connection, EvalCall call) {
        CompletableFuture<String> reply = call.on(connection);
        timeouts.watch(reply);
        return reply.handle((text, failure) -> {
            timeouts.forgetAnswered();
            if (failure == null) {
                return text;
            }
            if (!LettuceFailures.isErrorReply(failure) && commands.leave(connection)) {
                subscriptions.forEach(ReconnectingSubscription::replaceConnection);
            }
            throw LettuceFailures.ofCommand(server(), failure);
        });
    }

    /** The time counts from now; a command that is not sent by its end never is. */
    private CompletionStage<String> connectAndSend(EvalCall call) {
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
        ReconnectingSubscription subscription = subscription(channel, listener);
        subscription.start(client.commandTimeout().multipliedBy(2));
        return subscription;
    }

    @Override
    public Subscription subscribeLater(String channel, ChannelListener listener) {
        ReconnectingSubscription subscription = subscription(channel, listener);
        subscription.startLater();
        return subscription;
    }

    private ReconnectingSubscription subscription(String channel, ChannelListener listener) {
        ReconnectingSubscription subscription = new ReconnectingSubscription(
                new LettuceChannels(client, () -> connect(client::connectForMessages), channel),
                client.commandTimeout(),
                listener);
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public Duration resendsWithin() {
        return client.commandTimeout().dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public void reconnect() {
        commands.leave();
        subscriptions.forEach(ReconnectingSubscription::replaceConnection);
        acknowledging.forEach(LettuceAcknowledging::replaceConnection);
    }

    /** The client ends it when it is closed. */
    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        LettuceAcknowledging one = new LettuceAcknowledging(client, () -> connect(client::connect), replicas, within);
        acknowledging.add(one);
        return new GroupCommit(one);
    }

    @Override
    public void onOtherServer(Consumer<Predicate<String>> listener) {
        sentinels.ifPresent(known -> known.watch(() -> {
            cut();
            listener.accept(lock -> true);
        }));
        // The connection that leads to the other server must stay: requests wait for it.
        identity.watch(() -> {
            reconnect();
            subscriptions.forEach(ReconnectingSubscription::leaveServer);
            listener.accept(lock -> true);
        });
    }

    @Override
    public void cut() {
        RuntimeException why = RedisFailures.unreachable(server(), new SocketException("the master is another by now"));
        commands.cut(why);
        subscriptions.forEach(ReconnectingSubscription::leaveServer);
        acknowledging.forEach(one -> one.leaveServer(why));
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
            client.stopConnecting();
            sentinels.ifPresent(LettuceSentinels::close);
            try {
                subscriptions.forEach(ReconnectingSubscription::close);
            } finally {
                try {
                    client.close();
                } finally {
                    timeouts.failAll();
                }
            }
        }
    }
}
