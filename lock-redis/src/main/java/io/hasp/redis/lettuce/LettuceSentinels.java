package io.hasp.redis.lettuce;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.Sentinels;
import io.hasp.redis.server.Sentinels.Answer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.lettuce.core.sentinel.api.async.RedisSentinelAsyncCommands;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Connects to the master that sentinels name. A sentinel is asked on a connection of its own, and listened to on another one. */
final class LettuceSentinels {
    private static final long SHORTEST_MILLIS = 10;

    private final LettuceClient client;
    private final String masterId;
    private final Duration share;
    private final Sentinels<RedisURI> sentinels;
    private final Queue<ReconnectingSubscription> subscriptions = new ConcurrentLinkedQueue<>();

    /** Those that the client's URI names. */
    LettuceSentinels(LettuceClient client) {
        RedisURI uri = client.uri();
        Map<String, RedisURI> addresses = new LinkedHashMap<>();
        uri.getSentinels().forEach(sentinel -> addresses.put(LettuceUris.address(sentinel), sentinel));
        this.client = client;
        this.masterId = uri.getSentinelMasterId();
        this.share = client.commandTimeout().dividedBy(addresses.size());
        this.sentinels = new Sentinels<>(masterId, addresses, this::ask);
    }

    private CompletionStage<Answer> ask(RedisURI sentinel) {
        CompletableFuture<StatefulRedisSentinelConnection<String, String>> connecting =
                client.connectToSentinel(sentinel);
        return connecting
                .thenCompose(this::ask)
                .orTimeout(Math.max(SHORTEST_MILLIS, share.toMillis()), TimeUnit.MILLISECONDS)
                .handle((answer, failure) -> {
                    connecting.thenAccept(StatefulConnection::closeAsync);
                    if (failure != null) {
                        throw LettuceFailures.ofConnecting("sentinel " + LettuceUris.address(sentinel), failure);
                    }
                    return answer;
                });
    }

    /** In this order, the address is not older than the number. */
    private CompletionStage<Answer> ask(StatefulRedisSentinelConnection<String, String> sentinel) {
        RedisSentinelAsyncCommands<String, String> commands = sentinel.async();
        return commands.master(masterId).thenCombine(commands.getMasterAddrByName(masterId), (state, address) -> {
            InetSocketAddress master = (InetSocketAddress) address;
            return new Answer(master.getHostString(), master.getPort(), Long.parseLong(state.get("config-epoch")));
        });
    }

    /** Asks, connects, and checks where that led. */
    <T extends StatefulRedisConnection<String, String>> CompletableFuture<T> connect(
            Function<RedisURI, CompletableFuture<T>> connector) {
        return sentinels
                .master()
                .thenCompose(master -> connector
                        .apply(LettuceUris.at(client.uri(), master.host(), master.port()))
                        .thenCompose(connection -> checked(master, connection))
                        .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                                LettuceFailures.ofConnecting(sentinels.words(master), failure))))
                .toCompletableFuture();
    }

    private <T extends StatefulRedisConnection<String, String>> CompletionStage<T> checked(
            Answer master, T connection) {
        return client.identified(connection, Optional.empty(), info -> sentinels.connected(master, info));
    }

    void watch(Runnable onOtherServer) {
        sentinels.watch(onOtherServer, this::subscribe);
    }

    private void subscribe(RedisURI sentinel, ChannelListener listener) {
        ReconnectingSubscription subscription = new ReconnectingSubscription(
                new LettuceChannels(client, () -> client.connectForMessages(sentinel), Sentinels.CHANNEL),
                client.commandTimeout(),
                listener);
        subscriptions.add(subscription);
        subscription.startLater();
    }

    void close() {
        subscriptions.forEach(ReconnectingSubscription::close);
    }
}
