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

/**
 * One attempt to get a lock from a majority, in two phases: the lock, then a fencing token. Whatever it does not end with is
 * given back on every node, those that did not answer included. Used once, by one thread.
 */
public final class RedlockAttempt {
    /** When to ask again for a lock that is held: as start.lua says. */
    private static final Duration POLL = Duration.ofMillis(500);

    private static final int MOST_DOUBLINGS = 8;
    /** Lua counts exactly up to 2<sup>53</sup>. */
    private static final long LARGEST_TOKEN = 9_007_199_254_740_000L;

    private final RedlockProtocol redlock;
    private final NodeSockets fan;
    private final Claim claim;
    private final HolderState mine;
    private final List<String> keys;
    private final List<String> request;
    private final long start;
    private NodeReplies round;

    public RedlockAttempt(
            RedlockProtocol redlock,
            NodeSockets fan,
            Claim claim,
            HolderState mine,
            List<String> keys,
            List<String> request) {
        this.redlock = redlock;
        this.fan = fan;
        this.claim = claim;
        this.mine = mine;
        this.keys = keys;
        this.request = request;
        this.start = redlock.now();
        this.round = answers(fan.all());
    }

    /** Makes the attempt; fails with {@link BackendFailure} if there is no majority to ask, or it was too slow. */
    public Attempt run() {
        VoteCount ballot = phaseOne();
        if (ballot.gone()) {
            drop();
            return new Attempt.Gone();
        }
        if (ballot.won()) {
            return phaseTwo(ballot.token(claim.holder()));
        }
        if (redlock.quorum().preventedBy(round.failed())) {
            throw failed(round, "the lock");
        }
        return busy(ballot);
    }

    /**
     * All nodes at once. Only after an attempt that nobody won, one node alone: all contenders ask the same one, so that the
     * others are asked by the winner only. If it refuses, the next attempt asks all again, because a node may be wrong for the
     * rest of a lease.
     */
    private VoteCount phaseOne() {
        BitSet all = fan.all();
        int scout = mine.splits() % 2 == 1 ? fan.firstUp() : -1;
        if (scout < 0) {
            fan.ask(grant(), round, answers -> decided(answers, "GRANTED"));
            return ballot();
        }
        BitSet one = new BitSet();
        one.set(scout);
        NodeReplies alone = fan.ask(grant(), answers(one), NodeReplies::complete);
        VoteCount first = new VoteCount(redlock.quorum(), alone);
        if (first.grants() == 0 && alone.failed() == 0) {
            round = alone;
            return first;
        }
        all.clear(scout);
        mine.asked(mine.signals());
        NodeReplies others = answers(all);
        others.include(alone);
        round = others;
        fan.ask(grant(), others, answers -> decided(answers, "GRANTED"));
        return ballot();
    }

    private NodeReplies answers(BitSet nodes) {
        return new NodeReplies(redlock.quorum().nodes(), nodes, mine::answered).onSending(mine::reaches);
    }

    private ScriptCall grant() {
        return new ScriptCall(redlock.scripts().grant(), keys, request);
    }

    private VoteCount ballot() {
        return new VoteCount(redlock.quorum(), round);
    }

    /**
     * Whether a majority said yes, or can't be asked. Who is refused waits for the others that answer: each may have granted
     * something, which would have to be given back.
     */
    private boolean decided(NodeReplies answers, String yes) {
        return redlock.quorum().reached(answers.count(reply -> reply.startsWith(yes)))
                || redlock.quorum().preventedBy(answers.failed());
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
        NodeReplies acks = new NodeReplies(redlock.quorum().nodes(), fan.all(), () -> {});
        fan.ask(call, acks, answers -> decided(answers, "ACK"));
        if (redlock.quorum().preventedBy(acks.failed())) {
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
            return busy(ballot());
        }
        mine.splits(0);
        return new Attempt.Granted(Grant.of(claim, token, ServerLease.of(claim)));
    }

    /** Whether nothing is left of the lease after the time that has passed and the clock margin; the clock was read before anything was sent. */
    private boolean tooLate() {
        long lease = ServerLease.of(claim).toNanos();
        return redlock.now() - start >= lease - ClockMargin.ofNanos(lease);
    }

    /** Others have the lock, or prevented each other and me from having it. */
    private Attempt busy(VoteCount ballot) {
        mine.queued(ballot.ticket());
        drop();
        if (ballot.held()) {
            mine.splits(0);
            long free = Math.max(1, ballot.millisUntilFree());
            return new Attempt.Busy(free < POLL.toMillis() ? Duration.ofMillis(free) : POLL);
        }
        mine.splits(mine.splits() + 1);
        long most = Math.min(
                POLL.toNanos(),
                Math.max(redlock.now() - start, TimeUnit.MILLISECONDS.toNanos(1))
                        << Math.min(mine.splits(), MOST_DOUBLINGS));
        return new Attempt.Busy(Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, most)));
    }

    private BackendFailure failed(NodeReplies answers, String what) {
        drop();
        boolean mayWait = claim.queue() && round.replied() > 0;
        boolean certain =
                !mayWait && answers.silent().isEmpty() && round.silent().isEmpty();
        return answers.noMajority(
                what + " '" + claim.name() + "'", redlock.quorum(), certain ? Outcome.NOT_APPLIED : Outcome.UNKNOWN);
    }

    /** Gives partial grants back where there is one, or may be. Places in the queues are kept. */
    private void drop() {
        BitSet some = new BitSet();
        for (int node = 0; node < redlock.quorum().nodes(); node++) {
            String reply = round.reply(node);
            if (reply == null ? round.awaits(node) || round.silent().get(node) : reply.startsWith("GRANTED")) {
                some.set(node);
            }
        }
        if (!some.isEmpty()) {
            redlock.release(fan, keys, claim.holder(), some, node -> true, false, true, NodeReplies::complete);
        }
    }
}
