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
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * One attempt to get a lock from a majority, in two phases: the lock, then a fencing token. An attempt that fails gives its grants
 * back on every node, those that did not answer included. Used once, by one thread.
 */
public final class RedlockAttempt {
    /** The pause before the next request for a held lock, as in start.lua. */
    private static final Duration POLL = Duration.ofMillis(500);

    private static final int MOST_DOUBLINGS = 8;
    /** Positions of arguments in a request. */
    private static final int CHANNEL = 3;

    private static final int LABEL = 4;
    /** Lua counts exactly up to 2<sup>53</sup>. */
    private static final long LARGEST_TOKEN = 9_007_199_254_740_000L;

    private final RedlockProtocol redlock;
    private final NodeSockets sockets;
    private final Claim claim;
    private final HolderState mine;
    private final List<String> keys;
    private final List<String> request;
    /** All but those where something of this holder's former attempts is still under way: its grant there could be given back. */
    private final BitSet asked;

    private final VotingPhase voting;

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
        this.asked = sockets.all();
        asked.andNot(mine.unsettled());
        ScriptCall grant = new ScriptCall(redlock.scripts().grant(), keys, request);
        this.voting = new VotingPhase(redlock, sockets, claim, mine, grant, asked);
    }

    /** Makes the attempt; fails with {@link BackendFailure} if there is no majority to ask, or it was too slow. */
    public Attempt run() {
        VoteCount votes = voting.ask();
        if (votes.gone()) {
            drop();
            return new Attempt.Gone();
        }
        if (votes.won()) {
            return phaseTwo(votes);
        }
        if (!voting.refusedByFirst() && voting.round().unanswered(redlock.quorum())) {
            throw failed(voting.round(), "the lock");
        }
        return busy(votes);
    }

    private Attempt phaseTwo(VoteCount votes) {
        long token = votes.token(claim.holder());
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
            return busy(votes);
        }
        mine.splits(0);
        return new Attempt.Granted(Grant.of(claim, token, ServerLease.of(claim)));
    }

    /** True if the time since the start and the clock margin use up the lease. */
    private boolean tooLate() {
        long lease = ServerLease.of(claim).toNanos();
        return voting.nanosSinceStart() >= lease - ClockMargin.ofNanos(lease);
    }

    /** Others have the lock, or prevented each other and me from having it. */
    private Attempt busy(VoteCount votes) {
        mine.queued(votes.ticket());
        boolean held = votes.held();
        List<String> place = held ? List.of() : place();
        int kept = giveBack(held, place);
        if (votes.clearing()) {
            return new Attempt.Busy(Duration.ofMillis(1));
        }
        if (held) {
            mine.splits(0);
        }
        boolean otherWaiterIsFirst = !place.isEmpty() && kept == 0;
        if (held || otherWaiterIsFirst) {
            long free = Math.max(1, votes.millisUntilFree());
            return new Attempt.Busy(free < POLL.toMillis() ? Duration.ofMillis(free) : POLL);
        }
        mine.splits(mine.splits() + 1);
        return new Attempt.Busy(called(kept) ? Duration.ofNanos(1) : backOff());
    }

    /** A waiter's place in the queues, for {@link RedlockProtocol#drop}; empty if there is none. */
    private List<String> place() {
        return claim.queue() && !mine.ticket().isEmpty()
                ? List.of(mine.ticket(), request.get(CHANNEL), request.get(LABEL))
                : List.of();
    }

    /** Returns how many nodes keep the lock for this holder, because it is the first of the queue there. */
    private int giveBack(boolean held, List<String> place) {
        if (claim.queue()) {
            return drop(place);
        }
        voting.round().mayArrive().stream().forEach(mine::unsettled);
        // If the lock is held, this holder ends now, and its tombstone releases late nodes, too.
        return held ? dropAnswered(place) : drop(place);
    }

    /** True if a majority keeps the lock for this holder, and the message of the last of these nodes has come before this. */
    private boolean called(int kept) {
        boolean called = false;
        for (int i = 0; i < kept; i++) {
            called |= mine.called() == redlock.quorum().majority();
        }
        return called;
    }

    private Duration backOff() {
        long most = Math.min(
                POLL.toNanos(),
                Math.max(voting.nanosSinceStart(), TimeUnit.MILLISECONDS.toNanos(1))
                        << Math.min(mine.splits(), MOST_DOUBLINGS));
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, most));
    }

    private BackendFailure failed(NodeReplies replies, String what) {
        drop();
        NodeReplies round = voting.round();
        boolean mayWait = claim.queue() && round.replied() > 0;
        boolean answered = replies.silent().isEmpty()
                && round.mayArrive().isEmpty()
                && asked.cardinality() == redlock.quorum().nodes();
        boolean certain = answered && !mayWait;
        return replies.noMajority(
                what + " '" + claim.name() + "'", redlock.quorum(), certain ? Outcome.NOT_APPLIED : Outcome.UNKNOWN);
    }

    private void drop() {
        drop(List.of());
    }

    /**
     * Gives partial grants back where there is one, or may be. Places in the queues are kept. Nodes that have not answered yet
     * are not waited for.
     */
    private int drop(List<String> place) {
        NodeReplies round = voting.round();
        new LateGrants(sockets, mine, round, (nodes, answered) -> drop(place, nodes, answered, sent -> true))
                .giveBack(nodes(round::awaits));
        return dropAnswered(place);
    }

    private int dropAnswered(List<String> place) {
        NodeReplies round = voting.round();
        BitSet nodes =
                nodes(node -> LateGrants.granted(round, node) || round.silent().get(node));
        return nodes.isEmpty()
                ? 0
                : drop(place, nodes, node -> {}, NodeReplies::complete).count("KEPT"::equals);
    }

    private NodeReplies drop(List<String> place, BitSet nodes, IntConsumer answered, Predicate<NodeReplies> enough) {
        return redlock.drop(sockets, keys, claim.holder(), place, nodes, answered, enough);
    }

    private BitSet nodes(IntPredicate which) {
        BitSet nodes = new BitSet();
        IntStream.range(0, redlock.quorum().nodes()).filter(which).forEach(nodes::set);
        return nodes;
    }
}
