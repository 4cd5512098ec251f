package io.hasp.redis.redlock;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes' replies to one call: a reply, a failure, or nothing yet. Replies still come in after the outcome is known.
 * Written by the thread that uses the {@link NodeSockets}.
 */
public final class NodeReplies {
    private final @Nullable String[] replies;
    private final @Nullable BackendFailure[] failures;
    private final BitSet outstanding;
    private final long[] sentAt;
    private final Runnable allAnswered;
    private BiConsumer<Integer, BackendFailure> onFailure = (node, why) -> {};
    private IntConsumer onSending = node -> {};
    private IntConsumer onAnswer = node -> {};
    private final BitSet sentAgain = new BitSet();

    /**
     * Expects replies from some nodes.
     *
     * @param allAnswered run when nothing of the call can still arrive at any node
     */
    public NodeReplies(int nodes, BitSet asked, Runnable allAnswered) {
        this.replies = new String[nodes];
        this.failures = new BackendFailure[nodes];
        this.outstanding = (BitSet) asked.clone();
        this.sentAt = new long[nodes];
        this.allAnswered = allAnswered;
    }

    /** Calls for every node that gives no reply, the late failures included; not for an error reply. Set before asking. */
    void onFailure(BiConsumer<Integer, BackendFailure> action) {
        onFailure = action;
    }

    /** Calls before something is sent to a node. Set before asking. */
    NodeReplies onSending(IntConsumer action) {
        onSending = action;
        return this;
    }

    /** Calls for every node that has answered or failed, after all else. */
    void onAnswer(IntConsumer action) {
        onAnswer = action;
    }

    /** The call goes to a node now, on {@link System#nanoTime}. Its time to answer begins. */
    long sending(int node) {
        onSending.accept(node);
        sentAt[node] = System.nanoTime();
        return sentAt[node];
    }

    /** The call will go to a node a second time. So the first may still arrive, even if all have answered. */
    void sendingAgain(int node) {
        sentAgain.set(node);
    }

    /** Returns the time since the request to a node; zero if it has answered. */
    long waitedFor(int node) {
        return awaits(node) ? System.nanoTime() - sentAt[node] : 0;
    }

    /** Adds what came of an earlier round, with other nodes. */
    void include(NodeReplies earlier) {
        for (int i = 0; i < replies.length; i++) {
            replies[i] = replies[i] == null ? earlier.replies[i] : replies[i];
            failures[i] = failures[i] == null ? earlier.failures[i] : failures[i];
        }
        sentAgain.or(earlier.sentAgain);
    }

    public void reply(int node, String reply) {
        replies[node] = reply;
        settle(node);
        onAnswer.accept(node);
    }

    /** The node replied with an error. */
    void refusal(int node, BackendFailure failure) {
        failures[node] = failure;
        settle(node);
        onAnswer.accept(node);
    }

    public void failure(int node, BackendFailure failure) {
        failures[node] = failure;
        settle(node);
        onFailure.accept(node, failure);
        onAnswer.accept(node);
    }

    private void settle(int node) {
        outstanding.clear(node);
        if (outstanding.isEmpty() && sentAgain.isEmpty() && silent().isEmpty()) {
            allAnswered.run();
        }
    }

    public boolean complete() {
        return outstanding.isEmpty();
    }

    boolean awaits(int node) {
        return outstanding.get(node);
    }

    int awaited() {
        return outstanding.cardinality();
    }

    @Nullable
    public String reply(int node) {
        return replies[node];
    }

    /** The failure of a node in words. */
    String failure(int node) {
        BackendFailure failure = failures[node];
        return failure == null ? "it was not asked" : String.valueOf(failure.getMessage());
    }

    /** The number of nodes whose reply matches. */
    public int count(Predicate<String> what) {
        return count(new BitSet(), what);
    }

    /** The number of nodes that were asked once and whose reply matches. */
    public int countOfFirst(Predicate<String> what) {
        return count(sentAgain, what);
    }

    /** The number of nodes whose reply matches, except the nodes in {@code without}. */
    int count(BitSet without, Predicate<String> what) {
        int count = 0;
        for (int i = 0; i < replies.length; i++) {
            String reply = replies[i];
            if (reply != null && !without.get(i) && what.test(reply)) {
                count++;
            }
        }
        return count;
    }

    /** The number of nodes with a reply other than an error. */
    public int replied() {
        return count(reply -> true);
    }

    public int failed() {
        return failures().size();
    }

    /** True if a majority said yes, or has answered and can't say yes any more, or can't be asked. */
    boolean decided(Quorum quorum, String yes) {
        int agreed = count(reply -> reply.startsWith(yes));
        return quorum.reached(agreed)
                || unanswered(quorum)
                || (quorum.reached(replied()) && !quorum.reached(agreed + awaited()));
    }

    /** True if no majority will answer. */
    boolean unanswered(Quorum quorum) {
        return !quorum.reached(replied() + awaited());
    }

    /** Nodes where the call may have arrived, or may still. */
    BitSet silent() {
        BitSet silent = new BitSet();
        for (int i = 0; i < failures.length; i++) {
            BackendFailure failure = failures[i];
            if (failure != null && failure.outcome() == Outcome.UNKNOWN) {
                silent.set(i);
            }
        }
        return silent;
    }

    /** Nodes where the call, or a copy of it, may still arrive. */
    BitSet mayArrive() {
        BitSet nodes = silent();
        nodes.or(outstanding);
        nodes.or(sentAgain);
        return nodes;
    }

    /** The first failure of a kind. */
    public Optional<BackendFailure> failure(Predicate<BackendFailure> kind) {
        return failures().stream().filter(kind).findFirst();
    }

    private List<BackendFailure> failures() {
        List<BackendFailure> all = new ArrayList<>();
        for (BackendFailure failure : failures) {
            if (failure != null) {
                all.add(failure);
            }
        }
        return all;
    }

    /**
     * Returns the reason why there is no majority. Refusals that a retry can not change count only if they alone prevent a majority.
     *
     * @param outcome the outcome of the whole call
     */
    public BackendFailure noMajority(String what, Quorum quorum, Outcome outcome) {
        List<BackendFailure> all = failures();
        Kind kind = Kind.UNAVAILABLE;
        for (Kind lasting : List.of(Kind.DENIED, Kind.INCOMPATIBLE)) {
            long refusals = all.stream().filter(one -> one.kind() == lasting).count();
            if (quorum.preventedBy((int) refusals)) {
                kind = lasting;
            }
        }
        String reasons =
                all.stream().map(one -> String.valueOf(one.getMessage())).collect(Collectors.joining("; "));
        return new BackendFailure(
                kind,
                outcome,
                "no majority for " + what + ": of " + quorum.nodes() + " nodes " + replied() + " answered"
                        + (reasons.isEmpty() ? "" : " (" + reasons + ")"),
                all.isEmpty() ? null : all.get(0));
    }
}
