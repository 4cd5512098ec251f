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

    private static final int MOST_DOUBLINGS = 8;
    /** Lua counts exactly up to 2<sup>53</sup>. */
    private static final long LARGEST_TOKEN = 9_007_199_254_740_000L;

    private final RedlockProtocol redlock;
    private final NodeSockets sockets;
    private final Claim claim;
    private final HolderState mine;
    private final List<String> keys;
    /** All but those where something of this holder's former attempts is still under way: its grant there could be given back. */
    private final BitSet asked;

    private final PhaseOne phaseOne;

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
        this.asked = sockets.all();
        asked.andNot(mine.unsettled());
        this.phaseOne = new PhaseOne(redlock, sockets, claim, mine, keys, request, asked);
    }

    /** Makes the attempt; fails with {@link BackendFailure} if there is no majority to ask, or it was too slow. */
    public Attempt run() {
        VoteCount votes = phaseOne.ask();
        if (votes.gone()) {
            drop();
            return new Attempt.Gone();
        }
        if (votes.won()) {
            return phaseTwo(votes.token(claim.holder()));
        }
        if (!phaseOne.refusedByFirst() && phaseOne.round().unanswered(redlock.quorum())) {
            throw failed(phaseOne.round(), "the lock");
        }
        return busy(votes);
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
        sockets.ask(call, acks, replies -> replies.decided(redlock.quorum(), "ACK"));
        if (acks.unanswered(redlock.quorum())) {
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
            return busy(new VoteCount(redlock.quorum(), phaseOne.round()));
        }
        mine.splits(0);
        return new Attempt.Granted(Grant.of(claim, token, ServerLease.of(claim)));
    }

    /**
     * Whether the time since the start and the clock margin use up the lease. The clock was read before anything was sent.
     */
    private boolean tooLate() {
        long lease = ServerLease.of(claim).toNanos();
        return redlock.now() - phaseOne.start() >= lease - ClockMargin.ofNanos(lease);
    }

    /** Others have the lock, or prevented each other and me from having it. */
    private Attempt busy(VoteCount votes) {
        mine.queued(votes.ticket());
        if (!claim.queue() && (votes.held() || (votes.clearing() && mine.splits() == 0))) {
            // Its release follows, on each of these nodes.
            phaseOne.round().mayArrive().stream().forEach(mine::unsettled);
        } else {
            dropLate();
        }
        dropAnswered(votes.leader(claim.holder()));
        if (votes.clearing()) {
            return new Attempt.Busy(Duration.ofMillis(1));
        }
        if (votes.held()) {
            mine.splits(0);
            return untilFree(votes);
        }
        if (claim.queue() && votes.grants() == 0) {
            // It has a place in each queue, and some other client's votes decide who is next.
            return untilFree(votes);
        }
        mine.splits(mine.splits() + 1);
        long most = Math.min(
                POLL.toNanos(),
                Math.max(redlock.now() - phaseOne.start(), TimeUnit.MILLISECONDS.toNanos(1))
                        << Math.min(mine.splits(), MOST_DOUBLINGS));
        return new Attempt.Busy(Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, most)));
    }

    /** Until a majority is free by itself. A release wakes a waiter before that. */
    private static Attempt untilFree(VoteCount votes) {
        long free = Math.max(1, votes.millisUntilFree());
        return new Attempt.Busy(free < POLL.toMillis() ? Duration.ofMillis(free) : POLL);
    }

    private BackendFailure failed(NodeReplies replies, String what) {
        drop();
        NodeReplies round = phaseOne.round();
        boolean mayWait = claim.queue() && round.replied() > 0;
        boolean answered = round.complete()
                && replies.silent().isEmpty()
                && round.silent().isEmpty()
                && asked.cardinality() == redlock.quorum().nodes();
        boolean certain = answered && !mayWait;
        return replies.noMajority(
                what + " '" + claim.name() + "'", redlock.quorum(), certain ? Outcome.NOT_APPLIED : Outcome.UNKNOWN);
    }

    /** Gives partial grants back where there is one, or may be. Places in the queues are kept. */
    private void drop() {
        dropLate();
        dropAnswered("");
    }

    /** Nodes that have not answered yet are not waited for. */
    private void dropLate() {
        NodeReplies round = phaseOne.round();
        new LateGrants(sockets, mine, round, this::drop).giveBack(nodes(round::awaits));
    }

    private void drop(BitSet nodes, IntConsumer answered) {
        redlock.drop(sockets, keys, claim.holder(), "", nodes, answered, sent -> true);
    }

    private void dropAnswered(String heir) {
        NodeReplies round = phaseOne.round();
        BitSet answered =
                nodes(node -> LateGrants.granted(round, node) || round.silent().get(node));
        if (!answered.isEmpty()) {
            redlock.drop(sockets, keys, claim.holder(), heir, answered, node -> {}, NodeReplies::complete);
        }
    }

    private BitSet nodes(IntPredicate which) {
        BitSet nodes = new BitSet();
        IntStream.range(0, redlock.quorum().nodes()).filter(which).forEach(nodes::set);
        return nodes;
    }
}
