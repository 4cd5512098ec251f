package io.hasp.redis.redisson;

import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.ReconnectingSubscription;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.redisson.client.RedisPubSubConnection;

/**
 * A server, such as a node of a cluster, reached by sockets of Redisson's, all calls on one of them. A socket on which a call got no
 * answer is left: the next call takes another one.
 */
final class RedissonNode implements NodeConnection {
    /** As with the other libraries: an end that comes later is a failure, because the caller has waited enough. */
    private static final int PART_OF_TIMEOUT = 4;

    /** Makes its sockets. */
    interface Sockets {
        CompletableFuture<RedissonSocket> forCalls();

        CompletableFuture<RedisPubSubConnection> forMessages();

        Duration commandTimeout();

        /** True if the client of these connections has ended. */
        boolean over();

        /** Calls the listener when sockets lead, or will lead, to another server than those before. */
        default void watch(Runnable onOtherServer) {}

        /** No more are made. */
        default void close() {}
    }

    private final Sockets sockets;
    private final String server;
    private final RedissonSockets calls;
    private final Queue<ReconnectingSubscription> subscriptions = new ConcurrentLinkedQueue<>();
    private final Queue<RedissonSockets> acknowledging = new ConcurrentLinkedQueue<>();

    /** Not connected yet. */
    RedissonNode(Sockets sockets, String server) {
        this.sockets = sockets;
        this.server = server;
        this.calls = sockets();
    }

    private RedissonSockets sockets() {
        return new RedissonSockets(sockets::forCalls, sockets.commandTimeout());
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return call(socket -> socket.evaluate(command, script, keys, arguments));
    }

    @Override
    public CompletionStage<String> evaluateAsking(
            Command command, String script, List<String> keys, List<String> arguments) {
        return call(socket -> socket.evaluateAsking(command, script, keys, arguments));
    }

    private interface Call {
        CompletableFuture<String> on(RedissonSocket socket);
    }

    private CompletionStage<String> call(Call call) {
        if (sockets.over()) {
            return CompletableFuture.failedStage(RedisFailures.unreachable(server, new SocketException("closed")));
        }
        try {
            CompletableFuture<RedissonSocket> socket = calls.get();
            return socket.isDone() && !socket.isCompletedExceptionally()
                    ? send(socket.join(), call)
                    : connectAndSend(socket, call);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(RedissonFailures.ofCommand(server, e));
        }
    }

    private CompletionStage<String> send(RedissonSocket socket, Call call) {
        return call.on(socket).exceptionallyCompose(failure -> {
            if (!RedissonFailures.isErrorReply(failure) && calls.leave(socket)) {
                subscriptions.forEach(ReconnectingSubscription::replaceConnection);
            }
            return CompletableFuture.failedStage(RedissonFailures.ofCommand(server, timedOut(failure)));
        });
    }

    private static Throwable timedOut(Throwable failure) {
        return failure instanceof TimeoutException ? new SocketTimeoutException("timed out") : failure;
    }

    /** The time counts from now; a call that is not sent by its end never is. */
    private CompletionStage<String> connectAndSend(CompletableFuture<RedissonSocket> connecting, Call call) {
        AtomicBoolean decided = new AtomicBoolean();
        return connecting
                .handle((socket, failure) -> {
                    if (socket == null) {
                        throw RedissonFailures.ofConnecting(server, failure);
                    }
                    return socket;
                })
                .thenCompose(
                        socket -> decided.compareAndSet(false, true) ? send(socket, call) : new CompletableFuture<>())
                .orTimeout(sockets.commandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        failure instanceof TimeoutException ? late(decided.compareAndSet(false, true)) : failure));
    }

    private RuntimeException late(boolean neverSent) {
        return neverSent
                ? RedisFailures.unreachable(server, new SocketTimeoutException("connecting timed out"))
                : RedisFailures.silent(server, new SocketTimeoutException("timed out"));
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        ReconnectingSubscription subscription = subscription(channel, listener);
        subscription.start(sockets.commandTimeout().multipliedBy(2));
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
                new RedissonChannels(sockets::forMessages, sockets.commandTimeout(), server, channel),
                sockets.commandTimeout(),
                listener);
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        RedissonSockets own = sockets();
        acknowledging.add(own);
        return new GroupCommit(new SocketAcknowledging(own, server, replicas, within));
    }

    @Override
    public void reconnect() {
        calls.leave();
        subscriptions.forEach(ReconnectingSubscription::replaceConnection);
        acknowledging.forEach(RedissonSockets::leave);
    }

    /** The socket that leads to the other server must stay: requests wait for it. */
    @Override
    public void onOtherServer(Consumer<Predicate<String>> listener) {
        sockets.watch(() -> {
            reconnect();
            subscriptions.forEach(ReconnectingSubscription::leaveServer);
            listener.accept(lock -> true);
        });
    }

    @Override
    public void cut() {
        RuntimeException why = RedisFailures.unreachable(server, new SocketException("the master is another by now"));
        calls.cut(why);
        subscriptions.forEach(ReconnectingSubscription::leaveServer);
        acknowledging.forEach(sockets -> sockets.cut(why));
    }

    @Override
    public Duration resendsWithin() {
        return sockets.commandTimeout().dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public Duration commandTimeout() {
        return sockets.commandTimeout();
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public void close() {
        RuntimeException why = RedisFailures.unreachable(server, new SocketException("closed"));
        sockets.close();
        subscriptions.forEach(ReconnectingSubscription::close);
        calls.close(why);
        acknowledging.forEach(sockets -> sockets.close(why));
    }
}
