package io.hasp.redis.redlock;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.script.StoredLabel;
import io.hasp.redis.server.BisectingRenewals;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Prolongs grants on a majority, in as few calls as possible. */
public record RedlockRenewals(RedlockProtocol redlock, NodeSocketsPool pool, LockKeys keys, HolderRegistry holders) {

    /** Blocks for the replies. */
    public List<Renewal> renew(List<Grant> held) {
        return new BisectingRenewals("the nodes", redlock.timing(), this::ask)
                .renew(held)
                .toCompletableFuture()
                .join();
    }

    private CompletionStage<List<Renewal>> ask(List<Grant> held) {
        try {
            return CompletableFuture.completedStage(pool.with(sockets -> ask(sockets, held)));
        } catch (BackendFailure e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private List<Renewal> ask(NodeSockets sockets, List<Grant> held) {
        List<Grant> grants = new ArrayList<>();
        List<HolderState> asking = new ArrayList<>();
        BitSet asked = new BitSet();
        for (int i = 0; i < held.size(); i++) {
            HolderState mine = holders.find(held.get(i).claim().holder().value());
            if (mine != null && mine.renews()) {
                grants.add(held.get(i));
                asking.add(mine);
                asked.set(i);
            }
        }
        Iterator<Renewal> answers = grants.isEmpty()
                ? Collections.emptyIterator()
                : ask(sockets, grants, asking).iterator();
        return IntStream.range(0, held.size())
                .mapToObj(i -> asked.get(i) ? answers.next() : new Renewal.Lost("it is being released"))
                .toList();
    }

    private List<Renewal> ask(NodeSockets sockets, List<Grant> held, List<HolderState> asking) {
        List<String> names = new ArrayList<>();
        // All grants of a client have its label.
        List<String> request =
                new ArrayList<>(List.of(StoredLabel.of(held.get(0).claim().label())));
        for (Grant grant : held) {
            String holder = grant.claim().holder().value();
            List<String> all = LockKeys.of(keys.lock(grant.claim().name()), holder);
            names.addAll(List.of(all.get(0), all.get(1), all.get(4)));
            request.addAll(List.of(
                    holder, Long.toString(ServerLease.of(grant.claim()).toMillis()), Long.toString(grant.token())));
        }
        List<BitSet> unsettled = asking.stream().map(HolderState::unsettled).toList();
        NodeReplies replies = new NodeReplies(
                        redlock.quorum().nodes(), sockets.all(), () -> asking.forEach(HolderState::answered))
                .onSending(node -> asking.forEach(mine -> mine.reaches(node)));
        sockets.ask(
                new ScriptCall(redlock.scripts().renew(), names, request),
                replies,
                answered -> enough(answered, unsettled));
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            renewals.add(renewal(held.get(i), i, replies, unsettled.get(i)));
        }
        Optional<BackendFailure> oneKey = replies.failure(RedisFailures::ofOneKey);
        if (oneKey.isPresent() && held.size() > 1 && renewals.stream().anyMatch(Renewal.Unknown.class::isInstance)) {
            throw oneKey.get(); // The others may have a majority without it.
        }
        return renewals;
    }

    /** Grants mostly share one fate; if one is not certain yet, all nodes that answer are awaited. */
    private boolean enough(NodeReplies replies, List<BitSet> unsettled) {
        BitSet without = new BitSet();
        unsettled.forEach(without::or);
        return redlock.quorum()
                .reached(replies.count(without, reply -> reply.chars().allMatch(one -> one == '1')));
    }

    /** A node where a release of a former attempt is still under way may give the lock back after it was prolonged. */
    private Renewal renewal(Grant grant, int place, NodeReplies replies, BitSet unsettled) {
        int prolonged = replies.count(unsettled, reply -> reply.charAt(place) == '1');
        if (redlock.quorum().reached(prolonged)) {
            return new Renewal.Renewed(ServerLease.of(grant.claim()));
        }
        int refused = replies.count(unsettled, reply -> true) - prolonged;
        if (redlock.quorum().preventedBy(refused)) {
            return new Renewal.Lost(refused + " of " + redlock.quorum().nodes() + " nodes did not have it any more");
        }
        return new Renewal.Unknown(
                replies.noMajority("the renewal of '" + grant.claim().name() + "'", redlock.quorum(), Outcome.UNKNOWN));
    }
}
