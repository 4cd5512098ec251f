package io.hasp.zookeeper.readers;

import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.recipe.AcquireHandler;
import io.hasp.zookeeper.recipe.EntryResult;
import io.hasp.zookeeper.recipe.LockNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node with which several readers of this client hold a lock, or wait for it. To read then costs a listing, which many can share,
 * instead of two transactions. Each reader has the node's token, and the last one that leaves removes the node. Thread-safe: the places of
 * readers change in the one monitor of {@link ReadNodes}; requests are sent, and calls answered, outside it.
 */
final class ReadNode {
    private final LockNode node;
    private final ReadNodes all;
    private final AcquireHandler answers;
    private final NodeReaders<ReadRequest> readers = new NodeReaders<>();
    private @Nullable EntryResult lastTold;
    private boolean removalStarted;
    private @Nullable HolderId lastToLeave;

    /** Creates the state of a node that is to be created. */
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

    // In the monitor

    /** Takes the request of a reader that may be let in; false if it needs another node. One that does not wait joins holders only. */
    boolean take(ReadRequest request) {
        return (request.claim().queue() || node.held()) && readers.ask(request.holder(), request);
    }

    boolean hasJoined(HolderId holder) {
        return readers.hasJoined(holder);
    }

    /** A reader asks again. Returns what is to be done about it outside the monitor. */
    Runnable again(ReadRequest request) {
        ReadRequest earlier = readers.again(request.holder(), request);
        if (earlier == null) {
            return request::gone;
        }
        boolean answeredLater = readers.awaitsOthers(request.holder());
        boolean inVain = answeredLater && earlier.answer().isDone();
        return () -> {
            request.repeats(earlier);
            if (inVain) {
                askAnew();
            } else if (!answeredLater) {
                attempt(request);
            }
        };
    }

    /** Closes the node for new readers. Returns the requests of the readers that asked. */
    List<ReadRequest> close() {
        List<ReadRequest> turnedAway = readers.close();
        all.closed(this);
        return turnedAway;
    }

    /** A reader leaves or gives up. */
    Departure depart(HolderId holder) {
        boolean held = node.held() && readers.hasJoined(holder);
        ReadRequest request = readers.leave(holder);
        if (held) {
            lastToLeave = holder;
        }
        boolean unused = closeIfUnused();
        removalStarted |= unused;
        if (!unused) {
            all.forget(holder, this);
        }
        return new Departure(holder, request, held, holder.equals(lastToLeave), unused);
    }

    /** True if a new node is to take the place of this unused node. The replacement then removes it, or a removal after that. */
    boolean startReplacement() {
        boolean replaceable = closeIfUnused() && !removalStarted && node.held();
        removalStarted |= replaceable;
        return replaceable;
    }

    private boolean closeIfUnused() {
        boolean unused = readers.closeIfUnused();
        if (readers.closed()) {
            all.closed(this);
        }
        return unused;
    }

    // Outside

    /**
     * A reader that has left.
     *
     * @param request its last request; null if it had left before
     * @param held whether it left while it held
     * @param last whether no other holder left after it
     * @param unused whether no reader is left, so that the node is to be removed
     */
    record Departure(HolderId holder, @Nullable ReadRequest request, boolean held, boolean last, boolean unused) {}

    private CompletableFuture<Released> leave(HolderId holder) {
        Departure departure;
        synchronized (all) {
            departure = depart(holder);
        }
        return removed(departure);
    }

    /** Answers what the reader asked. Completes when it certainly has nothing on the server. */
    CompletableFuture<Released> released(Departure reader) {
        if (reader.request() != null) {
            reader.request().gone();
        }
        return removed(reader);
    }

    /** The last reader keeps its place until the node is gone, so that a release that failed can be repeated. */
    private CompletableFuture<Released> removed(Departure reader) {
        if (!reader.unused()) {
            return CompletableFuture.completedFuture(reader.held() ? Released.RELEASED : Released.NOT_HELD);
        }
        node.removal().success().thenRun(() -> all.forget(reader.holder(), this));
        return all.remove(node).thenApply(released -> reader.last() ? released : Released.NOT_HELD);
    }

    /** Creates the node for the readers that have called until now. */
    void create() {
        create(node::attempt);
    }

    /** Like {@link #create}, in one transaction with the removal of a node that they could not join. */
    void createReplacing(ReadNode left) {
        try {
            create(() -> {
                CompletableFuture<EntryResult> entry = node.attemptReplacing(left.node);
                entry.whenComplete((result, failure) -> all.remove(left.node));
                return entry;
            });
        } catch (RuntimeException | Error failure) {
            all.remove(left.node);
            throw failure;
        }
    }

    private void create(Supplier<CompletableFuture<EntryResult>> attempt) {
        List<ReadRequest> founders;
        synchronized (all) {
            founders = readers.send();
        }
        CompletableFuture<EntryResult> entry = attempt.get();
        founders.forEach(founder -> answers.completeFrom(founder.on(node), entry));
        entry.whenComplete((result, failure) -> created());
    }

    /** Readers that ask are let in, or sent elsewhere if the node was not created or may not have been. */
    private void created() {
        boolean active;
        synchronized (all) {
            active = node.active();
            if (active) {
                readers.nodePresent();
            }
        }
        if (!active) {
            all.turnAway(this);
        }
        proceed();
    }

    /** Sends a listing if a reader waits for one. */
    void list() {
        int number;
        synchronized (all) {
            number = readers.startListing();
        }
        if (number == 0) {
            return;
        }
        new ReadListing(node)
                .send(onlyReaders -> listed(number, onlyReaders), failure -> listingFailed(number, failure));
    }

    private void listed(int number, boolean onlyReaders) {
        if (onlyReaders && node.active()) {
            join(number);
        } else {
            all.turnAway(this);
        }
        proceed();
    }

    private void join(int number) {
        List<ReadRequest> joining;
        synchronized (all) {
            joining = readers.listedOnlyReaders(number);
        }
        joining.forEach(this::attempt);
    }

    /**
     * A reader was not let in for as long as a command may take. If an error in this process took the answer that was to let it in,
     * none will ever come: the readers that ask go elsewhere, and a reader that has joined creates the node if that was not begun.
     */
    private void askAnew() {
        all.turnAway(this);
        boolean created;
        synchronized (all) {
            created = readers.sent();
        }
        if (!created) {
            create();
        }
        proceed();
    }

    private void listingFailed(int number, Throwable failure) {
        List<ReadRequest> failed;
        synchronized (all) {
            failed = readers.listingFailed(number);
            failed.forEach(request -> all.forget(request.holder(), this));
        }
        failed.forEach(request -> request.failed(failure));
        proceed();
    }

    /** Sends the next listing, or ends this node. */
    private void proceed() {
        list();
        boolean remove;
        synchronized (all) {
            remove = closeIfUnused() && !removalStarted;
            removalStarted |= remove;
        }
        if (remove) {
            all.remove(node);
        }
    }

    private void attempt(ReadRequest request) {
        AcquireHandler.Request joined = request.on(node);
        if (node.session().ended()) {
            answers.completeGone(joined);
        } else if (node.held()) {
            answers.completeHeld(joined);
        } else {
            CompletableFuture<EntryResult> entry = node.attempt();
            answers.completeFrom(joined, entry);
            entry.thenAccept(this::tellOthers);
        }
    }

    /**
     * If an attempt finds that it is the node's turn, or that the node is gone, the watches may say nothing. The other waiting readers are
     * notified here.
     */
    private void tellOthers(EntryResult result) {
        synchronized (all) {
            if (result == EntryResult.WAITING || result == lastTold) {
                return;
            }
            lastTold = result;
        }
        signalled(Signal.MAYBE_FREE);
    }

    private void signalled(Signal signal) {
        List<ReadRequest> told;
        synchronized (all) {
            told = readers.joined();
        }
        told.forEach(reader -> reader.signals().onSignal(signal));
        if (signal == Signal.LOST) {
            List<Departure> lost;
            synchronized (all) {
                lost = told.stream().map(reader -> depart(reader.holder())).toList();
            }
            lost.forEach(this::released);
            all.turnAway(this);
            proceed();
        }
    }
}
