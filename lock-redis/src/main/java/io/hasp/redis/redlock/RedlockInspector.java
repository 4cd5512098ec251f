package io.hasp.redis.redlock;

import io.hasp.redis.inspect.ListCursor;
import io.hasp.redis.inspect.NamesPage;
import io.hasp.redis.inspect.ShownLocks;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LuaScript;
import io.hasp.redis.script.ScriptCall;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads the locks of all nodes, and states what a majority of them confirms. Thread-safe.
 *
 * <p>A list reads the names of one node after the other. A node that does not answer is left out: a majority has each lock that is held. A
 * lock is on the page of the first node that has it. A lock that such a node takes over after its turn is on no page.
 */
public record RedlockInspector(
        RedlockProtocol redlock,
        RedlockNodes nodes,
        NodeSocketsPool pool,
        LockKeys keys,
        RedlockReleases releases,
        Stages stages)
        implements Inspector {
    private static final LuaScript NAMES = LuaScript.load("inspect/names.lua");
    private static final LuaScript LOCKS = LuaScript.load("inspect/redlocks.lua");
    private static final int WAITERS_ON_A_PAGE = 10;
    /** The number of locks that one script reads on a page: about half a millisecond of the server's time. */
    private static final int LOCKS_OF_A_CALL = 25;

    private static final String NO_LIMIT = Integer.toString(Integer.MAX_VALUE);

    /** Runs work that blocks, as all calls of the backend. */
    public interface Stages {
        <T> CompletionStage<T> of(Supplier<T> work);
    }

    @Override
    public CompletionStage<Page> list(String prefix, String cursor) {
        return stages.of(() -> pool.with(sockets -> page(sockets, prefix, RedlockCursor.parse(cursor))));
    }

    private Page page(NodeSockets sockets, String prefix, RedlockCursor from) {
        if (from.node() >= redlock.quorum().nodes()) {
            throw ListCursor.notOne(from.toString());
        }
        nodes.requireMajority("the list of locks");
        BitSet one = new BitSet();
        one.set(from.node());
        List<String> request = NamesPage.request(keys, prefix, from.within());
        NodeReplies replies = ask(sockets, one, new ScriptCall(NAMES, List.of(), request));
        String reply = replies.reply(from.node());
        if (reply == null) {
            BitSet leftOut = from.withLeftOut();
            if (redlock.quorum().preventedBy(leftOut.cardinality())) {
                throw replies.noMajority("the list of locks", redlock.quorum(), Outcome.NOT_APPLIED);
            }
            return new Page(List.of(), next(from.node() + 1, leftOut));
        }
        NamesPage names =
                NamesPage.parse(reply, sockets.node(from.node()).endpoint.server());
        List<Content> locks = new ArrayList<>();
        for (int at = 0; at < names.names().size(); at += LOCKS_OF_A_CALL) {
            List<LockName> some = names.names()
                    .subList(at, Math.min(at + LOCKS_OF_A_CALL, names.names().size()));
            List<NodeView> views = views(sockets, some, WAITERS_ON_A_PAGE);
            for (int i = 0; i < some.size(); i++) {
                MergedLock merged = new MergedLock(redlock.quorum(), views, i);
                if (!merged.isOnAnEarlierNode(from)
                        && !names.isElsewhere(
                                some.get(i), views.get(from.node()).holders(i))) {
                    merged.content(some.get(i)).ifPresent(locks::add);
                }
            }
        }
        ListCursor within = names.next();
        return new Page(
                locks,
                within.ended()
                        ? next(from.node() + 1, from.leftOut())
                        : new RedlockCursor(from.node(), from.leftOut(), within).toString());
    }

    private String next(int node, BitSet leftOut) {
        return node == redlock.quorum().nodes()
                ? ""
                : RedlockCursor.at(node, leftOut).toString();
    }

    @Override
    public CompletionStage<Optional<Content>> find(LockName name) {
        return stages.of(() -> pool.with(sockets -> find(sockets, name)));
    }

    private Optional<Content> find(NodeSockets sockets, LockName name) {
        return new MergedLock(redlock.quorum(), views(sockets, List.of(name), MOST_WAITERS), 0).content(name);
    }

    /** Fails with {@link BackendFailure} if no majority answers, or a node has a foreign value for a single lock. */
    private List<NodeView> views(NodeSockets sockets, List<LockName> names, int waiters) {
        List<String> all =
                names.stream().flatMap(name -> keys.shown(name).stream()).toList();
        ScriptCall call = new ScriptCall(LOCKS, all, List.of(Integer.toString(waiters), NO_LIMIT));
        NodeReplies replies = ask(sockets, sockets.all(), call);
        if (!redlock.quorum().reached(replies.replied())) {
            throw replies.noMajority("a look at locks", redlock.quorum(), Outcome.NOT_APPLIED);
        }
        List<NodeView> views = new ArrayList<>();
        for (int i = 0; i < redlock.quorum().nodes(); i++) {
            String address = sockets.node(i).endpoint.address();
            String reply = replies.reply(i);
            views.add(
                    reply == null
                            ? NodeView.failed(address, replies.failure(i))
                            : NodeView.of(address, ShownLocks.parse(reply)));
        }
        return views;
    }

    private NodeReplies ask(NodeSockets sockets, BitSet asked, ScriptCall call) {
        return sockets.ask(call, new NodeReplies(redlock.quorum().nodes(), asked, () -> {}), NodeReplies::complete);
    }

    /**
     * Holder ids are never used again, so the release of the id on each node removes this grant and no other. Without a confirmed holder it
     * also removes a grant that may be held, together with nodes that do not answer.
     */
    @Override
    public CompletionStage<Boolean> remove(LockName name, Holder holder) {
        return stages.of(() -> pool.with(sockets -> find(sockets, name)
                .filter(lock ->
                        grants(lock).anyMatch(one -> one.id().equals(holder.id()) && one.token() == holder.token()))
                .map(lock -> releases.remove(sockets, name, holder.id()))
                .orElse(false)));
    }

    private static Stream<Holder> grants(Content lock) {
        return lock.holders().isEmpty()
                ? lock.nodes().stream().flatMap(node -> node.holders().stream())
                : lock.holders().stream();
    }
}
