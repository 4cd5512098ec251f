package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.script.ServerLease;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.ClockMargin;
import io.hasp.spi.Grant;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * One attempt to get a lock from a majority, in two phases: the lock, then a fencing token. An attempt that fails gives its grants
 * back on every node, those that did not answer included. Used once, by one thread.
 */
public final class RedlockAttempt {
    /** When to ask again for a lock that is held: as start.lua says. */
    private static final Duration POLL = Duration.ofMillis(500);

    /** For so long at most, and no longer than the majority took, a refused attempt waits for the nodes that are hardly slower. */
    private static final Duration LINGER = Duration.ofMillis(5);

    private static final int MOST_DOUBLINGS = 8;
    /** Lua counts exactly up to 2<sup>53</sup>. */
    private static final long LARGEST_TOKEN = 9_007_199_254_740_000L;

    private final RedlockProtocol redlock;
    private final NodeSockets sockets;
    private final Claim claim;
    private final HolderState mine;
    private final List<String> keys;
    private final List<String> request;
    private final long start;
    /** All but those where something of this holder's former attempts is still under way: its grant there could be given back. */
    private final BitSet asked;

    private NodeReplies round;

    public RedlockAttempt(
            RedlockProtocol redlock,
            NodeSockets sockets,
            Claim claim,
            HolderState mine,
            List<String> keys,
            List<String> request) {
        this.redlock = redlock;
        this.sockets = sockets;
        this.claim = claim;
        this.mine = mine;
        this.keys = keys;
        this.request = request;
        this.start = redlock.now();
        this.asked = sockets.all();
        asked.andNot(mine.unsettled());
        this.round = replies(asked);
    }

    /** Makes the attempt; fails with {@link BackendFailure} if there is no majority to ask, or it was too slow. */
    public Attempt run() {
        int firstNode = mine.splits() % 2 == 1 ? sockets.firstUp(asked) : -1;
        boolean others = firstNode < 0 || phaseOne(firstNode);
        if (others) {
            sockets.ask(grant(), round, replies -> decided(replies, "GRANTED"));
            linger();
        }
        VoteCount votes = new VoteCount(redlock.quorum(), round);
        if (votes.gone()) {
            drop();
            return new Attempt.Gone();
        }
        if (votes.won()) {
            return phaseTwo(votes.token(claim.holder()));
        }
        if (others && unanswered(round)) {
            throw failed(round, "the lock");
        }
        return busy(votes);
    }

    /**
     * After an attempt that no client won, one node first: all contenders ask the same one, so that only its winner asks the
     * others. If it refuses, the next attempt asks all again, because a node may be wrong for the rest of a lease.
     *
     * @return true if the other nodes are to be asked now
     */
    private boolean phaseOne(int firstNode) {
        BitSet one = new BitSet();
        one.set(firstNode);
        NodeReplies alone = sockets.ask(grant(), replies(one), NodeReplies::complete);
        if (alone.failed() == 0 && new VoteCount(redlock.quorum(), alone).grants() == 0) {
            round = alone;
            return false;
        }
        BitSet others = (BitSet) asked.clone();
        others.clear(firstNode);
        mine.asked(mine.signals());
        round = replies(others);
        round.include(alone);
        return true;
    }

    private NodeReplies replies(BitSet nodes) {
        return new NodeReplies(redlock.quorum().nodes(), nodes, mine::answered).onSending(mine::reaches);
    }

    private ScriptCall grant() {
        return new ScriptCall(redlock.scripts().grant(), keys, request);
    }

    /** Whether a majority said yes, or has answered and can't say yes any more, or can't be asked. */
    private boolean decided(NodeReplies replies, String yes) {
        Quorum quorum = redlock.quorum();
        int agreed = replies.count(reply -> reply.startsWith(yes));
        return quorum.reached(agreed)
                || unanswered(replies)
                || (quorum.reached(replies.replied()) && !quorum.reached(agreed + replies.awaited()));
    }

    private boolean unanswered(NodeReplies replies) {
        return !redlock.quorum().reached(replies.replied() + replies.awaited());
    }

    /** Nodes that answer at about the same time as the majority need not be sent a release of what they may have granted. */
    private void linger() {
        if (!round.complete() && !redlock.quorum().reached(round.count(reply -> reply.startsWith("GRANTED")))) {
            sockets.awaitBriefly(round, Math.min(redlock.now() - start, LINGER.toNanos()));
        }
    }

    private Attempt phaseTwo(long token) {
        if (token > LARGEST_TOKEN) {
            drop();
            throw new BackendFailure(
                    Kind.INCOMPATIBLE,
                    Outcome.UNKNOWN,
                    "the counter of '" + claim.name() + "' has reached the largest token",
                    null);
        }
        ScriptCall call = new ScriptCall(
                redlock.scripts().token(),
                keys.subList(0, 2),
                List.of(claim.holder().value(), Long.toString(token)));
        NodeReplies acks = new NodeReplies(redlock.quorum().nodes(), asked, () -> {});
        sockets.ask(call, acks, replies -> decided(replies, "ACK"));
        if (unanswered(acks)) {
            throw failed(acks, "the fencing token");
        }
        if (tooLate()) {
            drop();
            throw new BackendFailure(
                    Kind.UNAVAILABLE,
                    Outcome.UNKNOWN,
                    "the nodes took so long that nothing is left of the lease of " + ServerLease.of(claim),
                    null);
        }
        if (!redlock.quorum().reached(acks.count("ACK"::equals))) {
            return busy(new VoteCount(redlock.quorum(), round));
        }
        mine.splits(0);
        return new Attempt.Granted(Grant.of(claim, token, ServerLease.of(claim)));
    }

    /**
     * Whether the time since the start and the clock margin use up the lease. The clock was read before anything was sent.
     */
    private boolean tooLate() {
        long lease = ServerLease.of(claim).toNanos();
        return redlock.now() - start >= lease - ClockMargin.ofNanos(lease);
    }

    /** Others have the lock, or prevented each other and me from having it. */
    private Attempt busy(VoteCount votes) {
        mine.queued(votes.ticket());
        drop();
        if (votes.clearing()) {
            return new Attempt.Busy(Duration.ofMillis(1));
        }
        if (votes.held()) {
            mine.splits(0);
            long free = Math.max(1, votes.millisUntilFree());
            return new Attempt.Busy(free < POLL.toMillis() ? Duration.ofMillis(free) : POLL);
        }
        mine.splits(mine.splits() + 1);
        long most = Math.min(
                POLL.toNanos(),
                Math.max(redlock.now() - start, TimeUnit.MILLISECONDS.toNanos(1))
                        << Math.min(mine.splits(), MOST_DOUBLINGS));
        return new Attempt.Busy(Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, most)));
    }

    private BackendFailure failed(NodeReplies replies, String what) {
        drop();
        boolean mayWait = claim.queue() && round.replied() > 0;
        boolean answered = round.complete()
                && replies.silent().isEmpty()
                && round.silent().isEmpty()
                && asked.cardinality() == redlock.quorum().nodes();
        boolean certain = answered && !mayWait;
        return replies.noMajority(
                what + " '" + claim.name() + "'", redlock.quorum(), certain ? Outcome.NOT_APPLIED : Outcome.UNKNOWN);
    }

    /**
     * Gives partial grants back where there is one, or may be. Places in the queues are kept. Nodes that have not answered yet
     * are not waited for.
     */
    private void drop() {
        new LateGrants(sockets, mine, round, this::drop).giveBack(nodes(round::awaits));
        BitSet answered =
                nodes(node -> LateGrants.granted(round, node) || round.silent().get(node));
        if (!answered.isEmpty()) {
            redlock.drop(sockets, keys, claim.holder(), answered, node -> {}, NodeReplies::complete);
        }
    }

    private void drop(BitSet nodes, IntConsumer answered) {
        redlock.drop(sockets, keys, claim.holder(), nodes, answered, sent -> true);
    }

    private BitSet nodes(IntPredicate which) {
        BitSet nodes = new BitSet();
        IntStream.range(0, redlock.quorum().nodes()).filter(which).forEach(nodes::set);
        return nodes;
    }
}
