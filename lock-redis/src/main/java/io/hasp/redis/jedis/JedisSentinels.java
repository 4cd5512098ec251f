package io.hasp.redis.jedis;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.SentinelGroup;
import io.hasp.redis.server.Sentinels;
import io.hasp.redis.server.Sentinels.Answer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** Connects to the master that sentinels name. A sentinel is asked on a socket of its own, and listened to on another one. */
final class JedisSentinels {
    /** A host that went down does not refuse: this is how long a socket may be under way to it when the master is another already. */
    private static final int PART_OF_TIMEOUT = 4;

    private final RedisEndpoint endpoint;
    private final String masterId;
    private final Duration spin;
    private final Sentinels<RedisEndpoint> sentinels;
    private final Queue<ReconnectingSubscription> subscriptions = new ConcurrentLinkedQueue<>();
    /** Connected, and not found to lead to the master yet. */
    private final Queue<Socket> unchecked = new ConcurrentLinkedQueue<>();

    JedisSentinels(RedisEndpoint endpoint, SentinelGroup known, Duration spin) {
        this.endpoint = endpoint;
        this.masterId = known.masterId();
        this.spin = spin;
        this.sentinels = new Sentinels<>(masterId, known.sentinels(), this::ask);
    }

    private CompletionStage<Answer> ask(RedisEndpoint sentinel) {
        HostAndPort address = new HostAndPort(sentinel.host(), sentinel.port());
        JedisClientConfig client = JedisSockets.client(sentinel);
        try (PollableConnection socket = PollableConnection.to(JedisSockets.of(sentinel), client, Duration.ZERO);
                Jedis jedis = new Jedis(socket)) {
            socket.waitAtMost(sentinel.commandTimeout().toNanos());
            // In this order, the address is not older than the number.
            long epoch = Long.parseLong(jedis.sentinelMaster(masterId).get("config-epoch"));
            List<String> master = jedis.sentinelGetMasterAddrByName(masterId);
            return CompletableFuture.completedStage(new Answer(master.get(0), Integer.parseInt(master.get(1)), epoch));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(JedisFailures.notConnected("sentinel " + address, e));
        }
    }

    /** Asks, connects, and checks where that led; throws as {@link JedisFailures#notConnected} says. */
    PollableConnection connect() {
        Answer master = master();
        RedisEndpoint server = endpoint.at(master.host(), master.port());
        JedisSocketFactory sockets =
                JedisSockets.of(server, endpoint.commandTimeout().dividedBy(PART_OF_TIMEOUT));
        AtomicReference<@Nullable Socket> mine = new AtomicReference<>();
        try {
            PollableConnection socket = PollableConnection.to(
                    () -> {
                        Socket connected = sockets.createSocket();
                        mine.set(connected);
                        unchecked.add(connected);
                        return connected;
                    },
                    JedisSockets.client(server),
                    spin);
            socket.waitAtMost(endpoint.commandTimeout().toNanos());
            PollableConnection fit = checked(master, socket);
            fit.unlimited();
            return fit;
        } catch (RuntimeException e) {
            throw JedisFailures.notConnected(sentinels.words(master), e);
        } finally {
            Socket connected = mine.get();
            if (connected != null) {
                unchecked.remove(connected);
            }
        }
    }

    private Answer master() {
        try {
            return sentinels.master().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private PollableConnection checked(Answer master, PollableConnection socket) {
        boolean fit = false;
        try {
            sentinels.connected(master, info(socket));
            fit = true;
            return socket;
        } finally {
            if (!fit) {
                socket.cut();
            }
        }
    }

    /** Users may be forbidden to ask. */
    private static String info(PollableConnection socket) {
        try {
            socket.sendCommand(Protocol.Command.INFO);
            return String.valueOf(socket.getBulkReply());
        } catch (JedisDataException e) {
            return "";
        }
    }

    /** Before the listener runs, all calls to the former master are failed: it may never answer. */
    void watch(Runnable onOtherServer) {
        sentinels.watch(
                () -> {
                    unchecked.forEach(JedisSentinels::cut);
                    onOtherServer.run();
                },
                this::subscribe);
    }

    private static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more in any case.
        }
    }

    private void subscribe(RedisEndpoint sentinel, ChannelListener listener) {
        ReconnectingSubscription subscription = new ReconnectingSubscription(
                new JedisChannels(
                        sentinel.server(),
                        sentinel.commandTimeout(),
                        JedisSockets.connecting(sentinel, JedisSockets.of(sentinel), Duration.ZERO),
                        Sentinels.CHANNEL),
                sentinel.commandTimeout(),
                listener);
        subscriptions.add(subscription);
        subscription.startLater();
    }

    void close() {
        ExceptionSafe.forEach(subscriptions, ReconnectingSubscription::close);
    }
}
