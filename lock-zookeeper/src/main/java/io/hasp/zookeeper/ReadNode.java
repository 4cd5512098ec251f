package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import io.hasp.spi.Timing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node with which several readers of this client hold a lock, or wait for it. To read then costs a listing, which many can share,
 * instead of two transactions. Each reader has the node's token, and the last one that leaves removes the node. Thread-safe;
 * requests are sent, and calls answered, outside the monitor.
 *
 * <p>The listing follows a {@code sync}, so it shows every writer that queued before the reader called, whichever server answers.
 */
final class ReadNode {
    private final LockNode node;
    private final ReadNodes all;
    private final AcquireHandler answers;
    private final NodeReaders<ReadRequest> readers = new NodeReaders<>();
    private @Nullable HolderId lastToLeave;

    /**
     * For a node that is to be created.
     *
     * @param all gets the requests that need another node
     */
    ReadNode(LockNode node, ReadNodes all, Timing timing) {
        this.node = node;
        this.all = all;
        this.answers =
                new AcquireHandler(timing, request -> leave(request.claim().holder()));
        node.listen(this::signalled);
    }

    LockNode node() {
        return node;
    }

    boolean open() {
        synchronized (readers) {
            return !readers.closed();
        }
    }

    boolean holds(HolderId holder) {
        synchronized (readers) {
            return readers.hasJoined(holder) && node.held();
        }
    }

    /** Creates the node for readers that have called already. */
    void found(List<ReadRequest> founders) {
        synchronized (readers) {
            founders.forEach(founder -> readers.found(founder.holder(), founder));
        }
        CompletableFuture<EntryResult> entry = node.attempt();
        founders.forEach(founder -> answer(founder, joined -> answers.completeFrom(joined, entry)));
        entry.whenComplete((result, failure) -> created());
    }

    /** Those who ask are let in, or sent elsewhere if the node was not created or may not have been. */
    private void created() {
        List<ReadRequest> turnedAway = List.of();
        synchronized (readers) {
            if (node.active()) {
                readers.nodePresent();
            } else {
                turnedAway = readers.close();
            }
        }
        proceed(turnedAway);
    }

    /** Takes the request of a reader that may be let in; false if it needs another node. One that does not wait joins holders only. */
    boolean offer(ReadRequest request) {
        synchronized (readers) {
            if ((!request.claim().queue() && !node.held()) || !readers.ask(request.holder(), request)) {
                return false;
            }
        }
        list();
        return true;
    }

    /** A reader that has joined asks again. */
    void again(ReadRequest request) {
        answer(request, this::attempt);
    }

    private void list() {
        synchronized (readers) {
            if (!readers.startListing()) {
                return;
            }
        }
        try {
            node.session().syncWithLeader();
            node.session().children(node.folder().path(), false, this::listed);
        } catch (RuntimeException | Error failure) {
            listingFailed(failure);
        }
    }

    private void listed(RequestResult<List<String>> reply) {
        try {
            boolean join = !reply.noNode()
                    && SharedOrder.onlyReadersSince(
                            reply.orFail("list " + node.folder().path()), node.name())
                    && node.active();
            if (join) {
                join();
            } else {
                turnAway();
            }
        } catch (RuntimeException | Error failure) {
            listingFailed(failure);
        }
    }

    private void join() {
        List<ReadRequest> joining;
        synchronized (readers) {
            joining = readers.listedOnlyReaders();
        }
        joining.forEach(request -> answer(request, this::attempt));
        proceed(List.of());
    }

    private void turnAway() {
        List<ReadRequest> turnedAway;
        synchronized (readers) {
            turnedAway = readers.close();
        }
        proceed(turnedAway);
    }

    private void listingFailed(Throwable failure) {
        List<ReadRequest> failed;
        synchronized (readers) {
            failed = readers.listingFailed();
        }
        failed.forEach(request -> {
            all.forget(request.holder(), this);
            request.answer().completeExceptionally(BackendFailure.causeOf(failure));
        });
        proceed(List.of());
    }

    /** What follows from a change: another node for those who can't join, the next listing, or the end of this node. */
    private void proceed(List<ReadRequest> turnedAway) {
        if (!turnedAway.isEmpty()) {
            turnedAway.forEach(request -> all.forget(request.holder(), this));
            all.acquireElsewhere(turnedAway);
        }
        list();
        if (unused()) {
            all.remove(node);
        }
    }

    private boolean unused() {
        boolean unused;
        boolean closed;
        synchronized (readers) {
            unused = readers.closeIfUnused();
            closed = readers.closed();
        }
        if (closed) {
            all.closed(this);
        }
        return unused;
    }

    private void answer(ReadRequest request, Consumer<AcquireHandler.Request> means) {
        AcquireHandler.Request joined = request.on(node);
        if (node.session().ended() || all.wasWithdrawn(request.holder())) {
            answers.completeGone(joined);
        } else {
            means.accept(joined);
        }
    }

    /** If the node gets its turn by an attempt and not by a watch, nothing else tells the other readers that wait. */
    private void attempt(AcquireHandler.Request request) {
        if (node.held()) {
            answers.completeHeld(request);
            return;
        }
        boolean watched = node.waiting().knownGranted();
        CompletableFuture<EntryResult> entry = node.attempt();
        answers.completeFrom(request, entry);
        if (!watched) {
            entry.thenAccept(result -> {
                if (result == EntryResult.HELD) {
                    signalled(Signal.MAYBE_FREE);
                }
            });
        }
    }

    /** A reader leaves or gives up. Completes when it certainly has nothing on the server; can be repeated if it fails. */
    CompletableFuture<Released> leave(HolderId holder) {
        boolean last;
        boolean held = node.held();
        ReadRequest unanswered;
        synchronized (readers) {
            unanswered = readers.withdraw(holder);
            held &= readers.leave(holder);
            if (held) {
                lastToLeave = holder;
            }
            last = holder.equals(lastToLeave);
        }
        if (unanswered != null) {
            unanswered.answer().complete(new Attempt.Gone());
        }
        if (!unused()) {
            all.forget(holder, this);
            return CompletableFuture.completedFuture(held ? Released.RELEASED : Released.NOT_HELD);
        }
        CompletableFuture<Released> removal = all.remove(node);
        return removal.thenApply(released -> {
            all.forget(holder, this);
            return last ? released : Released.NOT_HELD;
        });
    }

    private void signalled(Signal signal) {
        List<ReadRequest> told;
        synchronized (readers) {
            told = readers.joined();
        }
        told.forEach(reader -> reader.signals().onSignal(signal));
        if (signal == Signal.LOST) {
            told.forEach(reader -> leave(reader.holder()));
            turnAway();
        }
    }
}
