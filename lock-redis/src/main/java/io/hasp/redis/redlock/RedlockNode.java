package io.hasp.redis.redlock;

import io.hasp.redis.jedis.JedisChannels;
import io.hasp.redis.jedis.JedisSockets;
import io.hasp.redis.jedis.PipelinedConnection;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.ReconnectingSubscription;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.ServerCheck;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;

/**
 * One of the masters, with the state of its answers. A node that did not answer in time is left out until a background probe is answered,
 * so that no call waits for a dead minority twice. The node then gets the releases that it missed. Thread-safe.
 */
public final class RedlockNode {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    /** Generous, because the node has just answered, and no lock waits for this. */
    private static final Duration SUBSCRIBING = Duration.ofSeconds(5);

    /** More than this are left to end with their lease. */
    private static final int MOST_MISSED = 10_000;

    private static final int AT_ONCE = 100;

    /** Callbacks of the node's subscription. */
    public interface Listener {
        void message(RedlockNode node, String message);

        void returned();
    }

    final RedisEndpoint endpoint;
    private final BackendContext context;
    private final LockKeys keys;
    private final ServerCheck check;
    private final String channel;
    private final Listener listener;
    private final JedisSocketFactory sockets;
    private final Map<String, ScriptCall> missedReleases = new ConcurrentHashMap<>();
    private final AtomicBoolean up = new AtomicBoolean();
    /** Set while a probe runs or is due. If an error ended a probe, the next caller that skips the node starts another. */
    private final AtomicBoolean probing = new AtomicBoolean();

    private volatile BackendFailure reason;
    private final AtomicInteger generation = new AtomicInteger();
    private volatile @Nullable ReconnectingSubscription subscription;
    private volatile boolean closed;

    /** Creates a node without connecting it. */
    public RedlockNode(
            RedisEndpoint endpoint,
            LockKeys keys,
            ServerCheck check,
            BackendContext context,
            Listener listener,
            JedisSocketFactory sockets) {
        this.sockets = sockets;
        this.endpoint = endpoint;
        this.context = context;
        this.keys = keys;
        this.check = check;
        this.channel = keys.channel(context.clientId());
        this.listener = listener;
        this.reason = RedisFailures.unreachable(endpoint.server(), new SocketException("not connected yet"));
    }

    /** Connects for the first time; if that fails, it goes on in the background. */
    public void open() {
        probing.set(true);
        probe(FIRST_PAUSE.dividedBy(2));
    }

    /** True if the node answers, as far as is known. */
    public boolean up() {
        boolean answers = up.get();
        if (!answers) {
            probeLater(FIRST_PAUSE);
        }
        return answers;
    }

    /** Returns the reason why the node is left out, as a failure of a request that was not sent. */
    public BackendFailure reason() {
        return reason;
    }

    int generation() {
        return generation.get();
    }

    /** A new socket; null if it is left out, now at the latest. */
    @Nullable
    PipelinedConnection connection() {
        int current = generation.get();
        if (!up()) {
            return null;
        }
        try {
            return PipelinedConnection.to(endpoint, current, sockets);
        } catch (RuntimeException e) {
            markDown(RedisFailures.atConnect(endpoint.server(), e));
            return null;
        }
    }

    /** It did not answer: leaves it out for now. */
    void markDown(BackendFailure why) {
        reason = RedisFailures.atConnect(endpoint.server(), why);
        if (up.compareAndSet(true, false)) {
            ReconnectingSubscription heard = subscription;
            if (heard != null) {
                heard.replaceConnection();
            }
            probeLater(FIRST_PAUSE);
        }
    }

    /** A release that it has perhaps not got: sent again as soon as it replies. */
    synchronized void resendLater(String holder, ScriptCall release, BackendFailure why) {
        if (missedReleases.size() < MOST_MISSED) {
            missedReleases.put(holder, release);
        }
        markDown(why);
    }

    /** True if the node can wake waiters. */
    public boolean canWake() {
        ReconnectingSubscription heard = subscription;
        return heard != null && heard.live();
    }

    /** Unless there is one already. Throws nothing: it is not the caller's trouble, and the next caller tries again. */
    private void probeLater(Duration pause) {
        if (!closed && !probing.get() && probing.compareAndSet(false, true)) {
            try {
                context.timing().schedule(pause, () -> probeNow(pause));
            } catch (RuntimeException | Error e) {
                probing.set(false);
            }
        }
    }

    private void probeNow(Duration pause) {
        try {
            context.executor().execute(() -> probe(pause));
        } catch (RejectedExecutionException | Error e) {
            probing.set(false);
            probeLater(LONGEST_PAUSE);
        }
    }

    private void probe(Duration pause) {
        Duration next = FIRST_PAUSE;
        try {
            if (!closed) {
                bringUp();
            }
        } catch (RuntimeException | Error e) {
            reason = RedisFailures.atConnect(endpoint.server(), e);
            Duration longer = pause.multipliedBy(2);
            next = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        } finally {
            probing.set(false);
        }
        if (!up.get()) {
            probeLater(next);
        }
    }

    private void bringUp() {
        PipelinedConnection connection = PipelinedConnection.to(endpoint, generation.get(), sockets);
        try {
            check.require(endpoint.server(), connection.answer(ServerCheck.question(keys, "", channel)));
            listen();
            generation.incrementAndGet();
            do {
                resendMissed(connection);
            } while (!upIfNothingWasMissed());
        } finally {
            connection.discard(new IllegalStateException("closed"));
        }
    }

    private void listen() {
        if (subscription == null) {
            ReconnectingSubscription started = new ReconnectingSubscription(
                    new JedisChannels(
                            endpoint.server(),
                            endpoint.commandTimeout().multipliedBy(2),
                            JedisSockets.connecting(endpoint, sockets, Duration.ZERO),
                            channel),
                    SUBSCRIBING,
                    new ChannelListener(message -> listener.message(this, message), () -> {}, listener::returned));
            started.start(SUBSCRIBING);
            subscription = started;
            if (closed) {
                started.close();
            }
        }
    }

    /** Only then: a holder that tries again must not lose a new grant by the release of the attempt before. */
    private synchronized boolean upIfNothingWasMissed() {
        if (missedReleases.isEmpty()) {
            up.set(true);
        }
        return up.get();
    }

    /** Many at a time: others wait for this node to be back. */
    private void resendMissed(PipelinedConnection connection) {
        int sent = 0;
        for (Map.Entry<String, ScriptCall> one : List.copyOf(missedReleases.entrySet())) {
            connection.send(one.getValue(), System.nanoTime(), (reply, failure) -> {
                // A release that the node refuses is not sent again: it would never let the node back in. The grant
                // ends with its lease.
                if (reply != null || failure instanceof ErrorReplyException) {
                    missedReleases.remove(one.getKey());
                }
            });
            if (++sent % AT_ONCE == 0) {
                connection.await();
            }
        }
        connection.await();
        if (connection.broken()) {
            throw RedisFailures.unreachable(
                    endpoint.server(), new SocketTimeoutException("it does not take what it missed"));
        }
    }

    public void close() {
        closed = true;
        ReconnectingSubscription heard = subscription;
        if (heard != null) {
            heard.close();
        }
    }
}
