package io.hasp.zookeeper.recipe;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes one node: waits for the request that is under way, looks for the node if the answer to its creation is missing, and
 * deletes it. The caller repeats it while it fails. A deletion without an answer is repeated as well; if the node is gone then,
 * the deletion was applied. The same holds after a transaction that replaces the node. Thread-safe.
 */
public final class NodeRemoval {
    private final LockNode node;
    private final Supplier<Session> current;
    private boolean deletionUnanswered;
    private boolean retryClaimed;
    private @Nullable CompletableFuture<Released> underWay;
    private final CompletableFuture<Released> success = new CompletableFuture<>();

    /**
     * Creates the removal of a node.
     *
     * @param current the session that deletes, which may be later than the node's session; throws a {@link BackendFailure} if there is none
     */
    NodeRemoval(LockNode node, Supplier<Session> current) {
        this.node = node;
        this.current = current;
    }

    /** Starts a try, or joins the one that is under way. After a success nothing is left on the server. */
    public CompletableFuture<Released> attempt() {
        CompletableFuture<Released> attempt = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                return underWay;
            }
            underWay = attempt;
        }
        node.startRemoval(() -> step(attempt, this::remove));
        return attempt;
    }

    /** Runs a step. If it throws, the try fails with that. */
    private void step(CompletableFuture<Released> attempt, Consumer<CompletableFuture<Released>> action) {
        try {
            action.accept(attempt);
        } catch (RuntimeException | Error failure) {
            failed(attempt, failure);
        }
    }

    private void failed(CompletableFuture<Released> attempt, Throwable failure) {
        ended();
        attempt.completeExceptionally(failure);
    }

    private void succeeded(CompletableFuture<Released> attempt, Released released) {
        ended();
        success.complete(released);
        attempt.complete(released);
    }

    private synchronized void ended() {
        underWay = null;
    }

    /** Completes with the first try that succeeds; never fails. */
    public CompletableFuture<Released> success() {
        return success;
    }

    /** True if the caller has to schedule the next try; false if one is scheduled already. */
    public synchronized boolean claimRetry() {
        boolean first = !retryClaimed;
        retryClaimed = true;
        return first;
    }

    /** The next try, which {@link #claimRetry} allowed, begins. */
    synchronized void retryStarted() {
        retryClaimed = false;
    }

    private void remove(CompletableFuture<Released> attempt) {
        Session session = current.get();
        switch (node.state()) {
            case NONE, VANISHED -> {
                node.waiting().end();
                succeeded(attempt, node.maybeReplaced() ? Released.RELEASED : Released.NOT_HELD);
            }
            case UNKNOWN -> find(attempt, session, Released.NOT_HELD);
            case QUEUED -> deleteOwn(attempt, session, Released.NOT_HELD);
            case HELD -> {
                Released ifThere = session == node.session() ? Released.RELEASED : Released.NOT_HELD;
                if (node.maybeMoved()) {
                    find(attempt, session, ifThere);
                    node.waiting().end();
                } else {
                    deleteOwn(attempt, session, ifThere);
                }
            }
        }
    }

    private void find(CompletableFuture<Released> attempt, Session session, Released ifThere) {
        node.folder().find(node.id(), session).whenComplete((found, failure) -> {
            if (failure != null) {
                failed(attempt, BackendFailure.causeOf(failure));
            } else if (found.isEmpty()) {
                succeeded(attempt, deletionMaybeApplied() ? ifThere : Released.NOT_HELD);
            } else {
                step(attempt, deleting -> delete(deleting, session, found, ifThere));
            }
        });
    }

    private synchronized boolean deletionMaybeApplied() {
        return deletionUnanswered;
    }

    private void deleteOwn(CompletableFuture<Released> attempt, Session session, Released ifThere) {
        delete(attempt, session, node.path(), ifThere);
        node.waiting().end();
    }

    private void delete(CompletableFuture<Released> attempt, Session session, String path, Released ifThere) {
        boolean exists = session == node.session() && !deletionMaybeApplied() && !node.maybeReplaced();
        session.nodes()
                .delete(path, exists, reply -> step(attempt, deleting -> succeeded(deleting, deleted(reply, ifThere))));
    }

    private Released deleted(RequestResult<Boolean> reply, Released ifThere) {
        if (reply.ok()) {
            node.deleted();
        }
        synchronized (this) {
            if (reply.ok() || (reply.noNode() && (deletionUnanswered || node.maybeReplaced()))) {
                return ifThere;
            }
            if (reply.noNode()) {
                return Released.NOT_HELD;
            }
            deletionUnanswered |= ZooKeeperFailures.outcome(reply.code()) == BackendFailure.Outcome.UNKNOWN;
        }
        reply.orFail("release the lock at " + node.folder().path());
        throw new IllegalStateException("a deletion without an effect");
    }
}
