package io.hasp.redis.jedis;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerIdentity;
import io.hasp.spi.RequestCombiner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Carries the commands through the blocking sockets of {@link CombiningPool}: a stage is complete when the call returns, and for a
 * lone thread the round trip costs no change of threads.
 */
public final class JedisConnection implements NodeConnection {
    /** A closed socket is found out within a round trip. What takes longer is not tried again: the caller waits. */
    private static final int PART_OF_TIMEOUT = 4;

    static final Optional<RequestCombiner> COMBINER = Optional.of(CombinedCommands::combine);

    private final String server;
    private final Duration commandTimeout;
    private final Supplier<PollableConnection> connect;
    private final Optional<JedisSentinels> sentinels;
    private final ServerIdentity identity = new ServerIdentity();
    private final Runnable cutConnecting;
    private final CombiningPool pool;
    private final Queue<ReconnectingSubscription> subscriptions = new ConcurrentLinkedQueue<>();
    private final Queue<JedisAcknowledging> acknowledging = new ConcurrentLinkedQueue<>();

    public JedisConnection(RedisEndpoint endpoint) {
        this(endpoint, endpoint.sentinel().map(known -> new JedisSentinels(endpoint, known, endpoint.spin())));
    }

    /** Creates a connection that reaches the server by these sockets. */
    public JedisConnection(RedisEndpoint endpoint, JedisSocketFactory sockets) {
        this(endpoint, JedisSockets.connecting(endpoint, sockets, endpoint.spin()), Optional.empty(), () -> {});
    }

    /**
     * Creates a connection to a node of a cluster. A host that went down does not refuse, and by the time that a whole command timeout is
     * over another node is the master already: so connecting may take a part of it.
     */
    static JedisConnection toNode(RedisEndpoint node) {
        CuttableSockets sockets =
                new CuttableSockets(JedisSockets.of(node, node.commandTimeout().dividedBy(PART_OF_TIMEOUT)));
        return new JedisConnection(
                node, JedisSockets.connecting(node, sockets, node.spin()), Optional.empty(), sockets::cut);
    }

    private JedisConnection(RedisEndpoint endpoint, Optional<JedisSentinels> sentinels) {
        this(
                endpoint,
                sentinels.isPresent()
                        ? sentinels.get()::connect
                        : JedisSockets.connecting(endpoint, JedisSockets.of(endpoint), endpoint.spin()),
                sentinels,
                () -> {});
    }

    private JedisConnection(
            RedisEndpoint endpoint,
            Supplier<PollableConnection> connect,
            Optional<JedisSentinels> sentinels,
            Runnable cutConnecting) {
        this.server = endpoint.server();
        this.commandTimeout = endpoint.commandTimeout();
        this.connect = sentinels.isPresent() ? connect : () -> identified(connect.get());
        this.sentinels = sentinels;
        this.cutConnecting = cutConnecting;
        this.pool = new CombiningPool(server, commandTimeout, this.connect, this::replaceSubscriptions);
    }

    private PollableConnection identified(PollableConnection socket) {
        boolean fit = false;
        try {
            socket.waitAtMost(commandTimeout.toNanos());
            identity.connected(info(socket));
            socket.unlimited();
            fit = true;
            return socket;
        } finally {
            if (!fit) {
                socket.cut();
            }
        }
    }

    private static String info(PollableConnection socket) {
        try {
            socket.sendCommand(Protocol.Command.INFO, ServerIdentity.SECTION);
            return String.valueOf(socket.getBulkReply());
        } catch (JedisDataException e) {
            if (ServerIdentity.hidden(String.valueOf(e.getMessage()))) {
                return "";
            }
            throw e;
        }
    }

    private void replaceSubscriptions() {
        subscriptions.forEach(ReconnectingSubscription::replaceConnection);
    }

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        return CombinedCommands.send(pool, EvalCommand.of(command, script, keys, arguments), false);
    }

    @Override
    public CompletionStage<String> evaluateAsking(
            Command command, String script, List<String> keys, List<String> arguments) {
        return CombinedCommands.send(pool, EvalCommand.of(command, script, keys, arguments), true);
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        ReconnectingSubscription subscription = subscription(channel, listener);
        subscription.start(commandTimeout.multipliedBy(2));
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
                new JedisChannels(server, commandTimeout.multipliedBy(2), connect, channel), commandTimeout, listener);
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        return COMBINER;
    }

    @Override
    public Duration resendsWithin() {
        return commandTimeout.dividedBy(PART_OF_TIMEOUT);
    }

    @Override
    public void reconnect() {
        pool.replaceSockets();
        acknowledging.forEach(JedisAcknowledging::leaveServer);
    }

    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        JedisAcknowledging one =
                new JedisAcknowledging(server, commandTimeout, connect, replicas, within, PooledSocket.FRESH);
        acknowledging.add(one);
        return new GroupCommit(one);
    }

    @Override
    public void onOtherServer(Consumer<Predicate<String>> listener) {
        sentinels.ifPresent(known -> known.watch(() -> {
            cut();
            listener.accept(lock -> true);
        }));
        // The socket that leads to the other server must stay: a request waits for it.
        identity.watch(() -> {
            reconnect();
            subscriptions.forEach(ReconnectingSubscription::leaveServer);
            listener.accept(lock -> true);
        });
    }

    @Override
    public void cut() {
        pool.cutSockets();
        cutConnecting.run();
        subscriptions.forEach(ReconnectingSubscription::leaveServer);
        acknowledging.forEach(JedisAcknowledging::leaveServer);
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public void close() {
        try {
            sentinels.ifPresent(JedisSentinels::close);
        } finally {
            try {
                ExceptionSafe.forEach(subscriptions, ReconnectingSubscription::close);
            } finally {
                try {
                    ExceptionSafe.forEach(acknowledging, JedisAcknowledging::close);
                } finally {
                    pool.close();
                }
            }
        }
    }
}
