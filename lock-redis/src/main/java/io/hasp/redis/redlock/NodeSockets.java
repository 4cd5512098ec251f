package io.hasp.redis.redlock;

import io.hasp.redis.blocking.AdaptiveSpin;
import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.jedis.PipelinedConnection;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One socket to each node. Writes a call to all nodes first and then takes the replies as they come, on the caller's thread: about twice as
 * fast as asynchronous sockets with threads of their own. It returns as soon as enough is known. A node that has not replied within the
 * node timeout after its request is left out from then on. Used by one thread at a time.
 *
 * <p>A node or a network may close an idle socket, and the client finds out with its next call. Such a call is sent a second
 * time, once, on a new socket, as on a single server ({@link ScriptRunner}). The client can't know whether the first was served, and
 * it may even arrive late. That is safe because
 * <ul>
 *   <li>for one holder, asking twice is the same as asking once: a grant and a place in the queue are kept, an acknowledged token is
 *       acknowledged again, and one that is smaller than the counter never is ({@code grant.lua}, {@code token.lua});
 *   <li>renewals only lengthen, and take no node for a holder that has a tombstone ({@code renew.lua});
 *   <li>the release of a holder of which a request may still arrive leaves a tombstone, so that this request gets GONE
 *       ({@link NodeReplies#sendingAgain});
 *   <li>holder ids are never used twice, so a late release finds nothing; only what gives back the grants of a failed attempt could
 *       hit a later grant of the same holder, so its second sending leaves a tombstone, too ({@link RedlockProtocol#release}).
 * </ul> The answer to a second release proves less than the answer to the first: NOT_HELD may be the effect of the first.
 */
public final class NodeSockets {
    /** The first time limit for one socket while others may have a reply. */
    private static final long FIRST_GLANCE = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long SHORT_GLANCE = TimeUnit.MICROSECONDS.toNanos(50);

    private final List<RedlockNode> nodes;
    private final Duration timeout;
    private final @Nullable PipelinedConnection[] connections;
    private final AdaptiveSpin spin;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Deque<Runnable> afterReplies = new ArrayDeque<>();

    NodeSockets(List<RedlockNode> nodes, Duration timeout) {
        this.nodes = nodes;
        this.timeout = timeout;
        this.connections = new PipelinedConnection[nodes.size()];
        this.spin = new AdaptiveSpin(nodes.get(0).endpoint.spin());
    }

    /** False if another thread has it. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    void giveBack() {
        taken.set(false);
    }

    /** All nodes. */
    public BitSet all() {
        BitSet all = new BitSet();
        all.set(0, nodes.size());
        return all;
    }

    RedlockNode node(int i) {
        return nodes.get(i);
    }

    /** The first of some nodes that answers at present, in the order of the nodes, which is the same for all clients; or -1. */
    int firstUp(BitSet among) {
        return among.stream().filter(i -> nodes.get(i).up()).findFirst().orElse(-1);
    }

    /** Sends one call to all nodes of {@code replies}. Returns when enough is known, or no reply is awaited any more. */
    public NodeReplies ask(ScriptCall call, NodeReplies replies, Predicate<NodeReplies> enough) {
        return ask(call, call, replies, enough);
    }

    /**
     * The same.
     *
     * @param again what is sent where the call found its socket cut off
     */
    public NodeReplies ask(ScriptCall call, ScriptCall again, NodeReplies replies, Predicate<NodeReplies> enough) {
        send(call, again, replies);
        return await(replies, enough);
    }

    /**
     * Waits until enough is known of what was sent, or no reply is awaited any more. The longer it waits, the longer it looks at each
     * socket: a reply on another one is late by a part of that wait, and threads that wait for busy nodes leave them the processor.
     */
    public NodeReplies await(NodeReplies replies, Predicate<NodeReplies> enough) {
        long glance = FIRST_GLANCE;
        while (!replies.complete() && !enough.test(replies)) {
            if (!receive() && !spin.finds(this::receive)) {
                long left = timeLeft(replies);
                if (left <= 0) {
                    giveUp(replies);
                } else {
                    pollInTurn(replies, Math.min(glance, left / connections.length));
                    glance *= 2;
                }
            }
        }
        return replies;
    }

    /** Takes the replies that come within a short time, or until enough is known. */
    void awaitBriefly(NodeReplies replies, long nanos, Predicate<NodeReplies> enough) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos;
                left > 0 && !replies.complete() && !enough.test(replies);
                left = end - System.nanoTime()) {
            if (!receive() && !spin.finds(this::receive)) {
                LockSupport.parkNanos(Math.min(left, SHORT_GLANCE));
            }
        }
    }

    /** True if a node without a reply owes earlier replies as well, and so is slow. */
    boolean oweMore(NodeReplies replies) {
        for (int i = 0; i < connections.length; i++) {
            if (replies.awaits(i) && backlog(i) > 1) {
                return true;
            }
        }
        return false;
    }

    /** The number of nodes without a reply that owe no reply for longer than {@code time}. */
    int awaited(NodeReplies replies, Duration time) {
        int awaited = 0;
        for (int i = 0; i < connections.length; i++) {
            PipelinedConnection connection = connections[i];
            if (replies.awaits(i) && connection != null && !connection.overdue(time.toNanos())) {
                awaited++;
            }
        }
        return awaited;
    }

    private int backlog(int i) {
        PipelinedConnection connection = connections[i];
        return connection == null ? 0 : connection.backlog();
    }

    /** Does something when the replies that are there have been read: what takes a reply must not send. */
    void afterReplies(Runnable action) {
        afterReplies.add(action);
    }

    /** Of the node that times out first. Each node has its own time, because connecting to one may delay the next. */
    private long timeLeft(NodeReplies replies) {
        long longest = 0;
        for (int i = 0; i < connections.length; i++) {
            longest = Math.max(longest, replies.waitedFor(i));
        }
        return timeout.toNanos() - longest;
    }

    /** Sends one call to one node. The reply is not used. */
    public void send(RedlockNode node, ScriptCall call) {
        BitSet one = new BitSet();
        one.set(nodes.indexOf(node));
        send(call, call, new NodeReplies(nodes.size(), one, () -> {}));
    }

    private void send(ScriptCall call, ScriptCall again, NodeReplies replies) {
        BitSet asked = new BitSet();
        for (int i = 0; i < connections.length; i++) {
            asked.set(i, replies.awaits(i));
        }
        asked.stream().forEach(i -> {
            PipelinedConnection connection = connection(i);
            if (connection == null) {
                replies.failure(i, nodes.get(i).reason());
            } else {
                long sentAt = replies.sending(i);
                connection.send(call, sentAt, (reply, failure) -> {
                    if (failure != null
                            && RedisFailures.cutOff(failure)
                            && System.nanoTime() - sentAt < timeout.toNanos()) {
                        sendAgain(i, connection, again, replies);
                    } else {
                        answered(i, connection, replies, reply, failure);
                    }
                });
            }
        });
    }

    /** On a new socket. From now on the first may have been served, or may still be, even if the second fails. */
    private void sendAgain(int i, PipelinedConnection cut, ScriptCall again, NodeReplies replies) {
        replies.sendingAgain(i);
        PipelinedConnection connection = insteadOf(cut, i, replies);
        if (connection == null) {
            replies.failure(i, RedisFailures.maybeApplied(nodes.get(i).reason()));
        } else {
            connection.send(
                    again,
                    replies.sending(i),
                    (reply, failure) -> answered(
                            i, connection, replies, reply, failure == null ? null : RedisFailures.sentBefore(failure)));
        }
    }

    /** The first of several calls that were cut off connects, and the others follow it in their order. */
    private @Nullable PipelinedConnection insteadOf(PipelinedConnection cut, int i, NodeReplies replies) {
        if (connections[i] == cut) {
            try {
                connections[i] = nodes.get(i).connection();
            } catch (Error e) {
                replies.failure(i, RedisFailures.silent(nodes.get(i).endpoint.server(), e));
                throw e;
            }
        }
        return connections[i];
    }

    private void answered(
            int i,
            PipelinedConnection connection,
            NodeReplies replies,
            @Nullable String reply,
            @Nullable RuntimeException failure) {
        if (reply != null) {
            replies.reply(i, reply);
            return;
        }
        RedlockNode node = nodes.get(i);
        RuntimeException thrown = failure == null ? new IllegalStateException("no reply") : failure;
        BackendFailure why = RedisFailures.of(node.endpoint.server(), "a call", thrown);
        if (thrown instanceof ErrorReplyException) {
            replies.refusal(i, why);
            return;
        }
        try {
            // What a socket of an earlier time did not get says nothing about a node that has come back since.
            if (ofTheNode(why) && connection.generation == node.generation()) {
                node.markDown(why);
            }
        } finally {
            replies.failure(i, why);
        }
    }

    /** And not an error of this process, which broke a call off. */
    private static boolean ofTheNode(BackendFailure why) {
        return why.getCause() instanceof IOException || why.getCause() instanceof JedisException;
    }

    private @Nullable PipelinedConnection connection(int i) {
        RedlockNode node = nodes.get(i);
        PipelinedConnection connection = connections[i];
        if (connection != null) {
            connection.receive();
            if (connection.overdue(timeout.toNanos())) {
                giveUp(connection);
            }
            connection = connections[i]; // What was cut off may have been sent again, on a new one.
        }
        if (connection != null) {
            if (connection.broken() || connection.generation != node.generation() || !node.up()) {
                connection.discard(new IllegalStateException("the node was left out"));
                connection = null;
            } else if (connection.stale() && !connection.awaitsReply()) {
                connection.discard(new IllegalStateException("idle for long"));
                connection = null;
            }
        }
        connections[i] = connection == null ? node.connection() : connection;
        return connections[i];
    }

    private boolean receive() {
        boolean any = false;
        for (PipelinedConnection connection : connections) {
            any |= connection != null && connection.receive();
        }
        return any;
    }

    /**
     * Waits so long for each of the nodes that have not replied, one after the other, until one does. Nodes that owe earlier
     * replies, too, come last.
     */
    private void pollInTurn(NodeReplies replies, long nanos) {
        int[] awaited = IntStream.range(0, connections.length)
                .filter(i -> connections[i] != null && replies.awaits(i))
                .boxed()
                .sorted(Comparator.comparingInt(this::backlog))
                .mapToInt(i -> i)
                .toArray();
        for (int i : awaited) {
            PipelinedConnection connection = connections[i];
            if (connection != null && replies.awaits(i)) {
                if (connection.receiveWithin(Duration.ofNanos(nanos)) || receive()) {
                    return;
                }
            }
        }
    }

    /** A last look has just found nothing, so it is not this process that was late. */
    private void giveUp(NodeReplies replies) {
        for (int i = 0; i < connections.length; i++) {
            PipelinedConnection connection = connections[i];
            if (connection != null && replies.waitedFor(i) >= timeout.toNanos()) {
                giveUp(connection);
            }
        }
    }

    private void giveUp(PipelinedConnection connection) {
        connection.discard(new SocketTimeoutException("no answer within " + timeout.toMillis() + " ms"));
    }

    /** Takes what has come, and gives up on overdue replies. True if replies are still awaited. */
    boolean tidy() {
        receive();
        for (Runnable action = afterReplies.poll(); action != null; action = afterReplies.poll()) {
            action.run();
        }
        boolean awaits = false;
        for (PipelinedConnection connection : connections) {
            if (connection != null && connection.overdue(timeout.toNanos())) {
                giveUp(connection);
            }
            awaits |= connection != null && connection.awaitsReply();
        }
        return awaits;
    }

    /** Ends sockets that are being written to for longer than the timeout. May be called while another thread uses them. */
    void cutStuckWrites() {
        for (PipelinedConnection connection : connections) {
            if (connection != null) {
                connection.cutStuckWrite(timeout.toNanos());
            }
        }
    }

    void close() {
        ExceptionSafe.forEach(Arrays.asList(connections), connection -> {
            if (connection != null) {
                connection.discard(new IllegalStateException("closed"));
            }
        });
    }
}
