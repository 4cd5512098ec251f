package io.hasp.redis.redlock;

import io.hasp.redis.blocking.AdaptiveSpin;
import io.hasp.redis.jedis.PipelinedConnection;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.script.ServerError;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One socket to each node. Writes a call to all nodes first and then takes the replies as they come, on the caller's thread:
 * about twice as fast as asynchronous sockets with threads of their own. It goes on as soon as enough is known; who has not
 * replied within the node timeout is left out from then on. Used by one thread at a time.
 *
 * <p>A node or a network may close an idle socket, and the client finds out with its next call. Such a call is sent a second
 * time, once, on a new socket, as on a single server ({@link ScriptRunner}). Nobody can tell whether the first was served, and it may
 * even arrive late. That is safe because
 * <ul>
 *   <li>for one holder, asking twice is the same as asking once: a grant and a place in the queue are kept, an acknowledged token is
 *       acknowledged again, and one that is smaller than the counter never is ({@code grant.lua}, {@code token.lua});
 *   <li>renewals only lengthen, and take nothing over from a holder that is buried ({@code renew.lua});
 *   <li>a holder of which something may still arrive is buried by its release, so that this something finds it GONE
 *       ({@link NodeReplies#sendingAgain});
 *   <li>holder ids are never used twice, so a late release finds nothing; only what gives back the grants of a failed attempt could
 *       hit a later grant of the same holder, so its second sending buries the holder, too ({@link RedlockProtocol#release}).
 * </ul>
 * The answer to a second release says less than the one to the first: NOT_HELD may be the work of the first.
 */
public final class NodeSockets {
    /** How long to look at one socket while others may have a reply, at first. */
    private static final long FIRST_GLANCE = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<RedlockNode> nodes;
    private final Duration timeout;
    private final @Nullable PipelinedConnection[] links;
    private final AdaptiveSpin spin;
    private final AtomicBoolean taken = new AtomicBoolean();

    NodeSockets(List<RedlockNode> nodes, Duration timeout) {
        this.nodes = nodes;
        this.timeout = timeout;
        this.links = new PipelinedConnection[nodes.size()];
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

    /** The first node that answers at present, in the order of the nodes, which is the same for all clients; or -1. */
    int firstUp() {
        for (int i = 0; i < links.length; i++) {
            if (nodes.get(i).up()) {
                return i;
            }
        }
        return -1;
    }

    /** Asks all nodes of {@code answers} the same; returns when enough is known, or nobody is left to answer. */
    public NodeReplies ask(ScriptCall call, NodeReplies answers, Predicate<NodeReplies> enough) {
        return ask(call, call, answers, enough);
    }

    /**
     * The same.
     *
     * @param again what is sent where the call found its socket cut off
     */
    public NodeReplies ask(ScriptCall call, ScriptCall again, NodeReplies answers, Predicate<NodeReplies> enough) {
        send(call, again, answers);
        return await(answers, enough);
    }

    /**
     * Waits until enough is known of what was sent, or nobody is left to answer. Who has waited for long looks at each socket for
     * longer: a reply on another one is late by a part of that wait, and threads that wait for busy nodes leave them the processor.
     */
    public NodeReplies await(NodeReplies answers, Predicate<NodeReplies> enough) {
        long start = System.nanoTime();
        long glance = FIRST_GLANCE;
        while (!answers.complete() && !enough.test(answers)) {
            if (!receive() && !spin.finds(this::receive)) {
                long left = timeout.toNanos() - (System.nanoTime() - start);
                if (left <= 0) {
                    giveUp(answers);
                } else {
                    glance(answers, Math.min(glance, left / links.length));
                    glance *= 2;
                }
            }
        }
        return answers;
    }

    private void send(ScriptCall call, ScriptCall again, NodeReplies answers) {
        BitSet asked = new BitSet();
        for (int i = 0; i < links.length; i++) {
            asked.set(i, answers.awaits(i));
        }
        long now = System.nanoTime();
        asked.stream().forEach(i -> {
            PipelinedConnection link = link(i);
            if (link == null) {
                answers.failure(i, nodes.get(i).reason());
            } else {
                answers.sending(i);
                link.send(call, now, (reply, failure) -> {
                    if (failure != null
                            && RedisFailures.cutOff(failure)
                            && System.nanoTime() - now < timeout.toNanos()) {
                        sendAgain(i, link, again, answers);
                    } else {
                        answered(i, link, answers, reply, failure);
                    }
                });
            }
        });
    }

    /** On a new socket. From now on the first may have been served, or may still be, whatever becomes of the second. */
    private void sendAgain(int i, PipelinedConnection cut, ScriptCall again, NodeReplies answers) {
        answers.sendingAgain(i);
        PipelinedConnection link = insteadOf(cut, i, answers);
        if (link == null) {
            answers.failure(i, RedisFailures.maybeApplied(nodes.get(i).reason()));
        } else {
            link.send(
                    again,
                    System.nanoTime(),
                    (reply, failure) -> answered(
                            i, link, answers, reply, failure == null ? null : RedisFailures.sentBefore(failure)));
        }
    }

    /** The first of several calls that were cut off connects, and the others follow it in their order. */
    private @Nullable PipelinedConnection insteadOf(PipelinedConnection cut, int i, NodeReplies answers) {
        if (links[i] == cut) {
            try {
                links[i] = nodes.get(i).link();
            } catch (Error e) {
                answers.failure(i, RedisFailures.silent(nodes.get(i).endpoint.server(), e));
                throw e;
            }
        }
        return links[i];
    }

    private void answered(
            int i,
            PipelinedConnection link,
            NodeReplies answers,
            @Nullable String reply,
            @Nullable RuntimeException failure) {
        if (reply != null) {
            answers.reply(i, reply);
            return;
        }
        RedlockNode node = nodes.get(i);
        RuntimeException thrown = failure == null ? new IllegalStateException("no reply") : failure;
        BackendFailure why = RedisFailures.of(node.endpoint.server(), "a call", thrown);
        if (thrown instanceof ServerError) {
            answers.refusal(i, why);
            return;
        }
        // What a socket of an earlier time did not get says nothing about a node that has come back since.
        if (ofTheNode(why) && link.generation == node.generation()) {
            node.suspect(why);
        }
        answers.failure(i, why);
    }

    /** And not an error of this process, which broke a call off. */
    private static boolean ofTheNode(BackendFailure why) {
        return why.getCause() instanceof IOException || why.getCause() instanceof JedisException;
    }

    private @Nullable PipelinedConnection link(int i) {
        RedlockNode node = nodes.get(i);
        PipelinedConnection link = links[i];
        if (link != null) {
            link.receive();
            if (link.overdue(timeout.toNanos())) {
                giveUp(link);
            }
            link = links[i]; // What was cut off may have been sent again, on a new one.
        }
        if (link != null) {
            if (link.broken() || link.generation != node.generation() || !node.up()) {
                link.discard(new IllegalStateException("the node was left out"));
                link = null;
            } else if (link.stale() && !link.awaitsReply()) {
                link.discard(new IllegalStateException("idle for long"));
                link = null;
            }
        }
        links[i] = link == null ? node.link() : link;
        return links[i];
    }

    private boolean receive() {
        boolean any = false;
        for (PipelinedConnection link : links) {
            any |= link != null && link.receive();
        }
        return any;
    }

    /** Waits so long for each of the nodes that have not replied, one after the other, until one does. */
    private void glance(NodeReplies answers, long nanos) {
        for (int i = 0; i < links.length; i++) {
            PipelinedConnection link = links[i];
            if (link != null && answers.awaits(i)) {
                if (link.receiveWithin(Duration.ofNanos(nanos)) || receive()) {
                    return;
                }
            }
        }
    }

    /** A last look has just found nothing, so it is not this process that was late. */
    private void giveUp(NodeReplies answers) {
        for (int i = 0; i < links.length; i++) {
            PipelinedConnection link = links[i];
            if (link != null && answers.awaits(i)) {
                giveUp(link);
            }
        }
    }

    private void giveUp(PipelinedConnection link) {
        link.discard(new SocketTimeoutException("no answer within " + timeout.toMillis() + " ms"));
    }

    /** Takes what has come, and gives up on who is overdue. True if replies are still awaited. */
    boolean tidy() {
        receive();
        boolean awaits = false;
        for (PipelinedConnection link : links) {
            if (link != null && link.overdue(timeout.toNanos())) {
                giveUp(link);
            }
            awaits |= link != null && link.awaitsReply();
        }
        return awaits;
    }

    void close() {
        for (PipelinedConnection link : links) {
            if (link != null) {
                link.discard(new IllegalStateException("closed"));
            }
        }
    }
}
