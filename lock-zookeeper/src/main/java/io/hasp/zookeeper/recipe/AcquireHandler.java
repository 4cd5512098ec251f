package io.hasp.zookeeper.recipe;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** Answers acquire calls from the results of their entry attempts, and removes useless nodes. Thread-safe. */
public final class AcquireHandler {
    /** Checks for a confirmed session in one session timeout, while a grant waits for it. */
    private static final int CHECKS_PER_TIMEOUT = 16;

    /** The poll interval of a waiter that no watch will wake. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    /** The poll interval of a waiter that waits for more nodes than it watches. */
    private static final Duration LONG_QUEUE_POLL = Duration.ofSeconds(1);

    /** The pause before a single try is repeated, after the refusal by a client that may keep the lock. */
    private static final Duration RECALL_INTERVAL = Duration.ofMillis(1);

    /** Withdraws acquire calls. */
    public interface Remover {
        /** Completes when the call has certainly nothing on the server any more. */
        CompletableFuture<Released> remove(Request request);
    }

    private final Timing timing;
    private final Remover remover;

    public AcquireHandler(Timing timing, Remover remover) {
        this.timing = timing;
        this.remover = remover;
    }

    /**
     * An acquire call.
     *
     * @param started when the call began
     * @param answer the result of the call, to be completed
     */
    public record Request(Claim claim, LockNode node, long started, CompletableFuture<Attempt> answer) {
        private void complete(Attempt attempt) {
            answer.complete(attempt);
        }
    }

    /** Answers the call when the attempt has ended. */
    public void completeFrom(Request request, CompletableFuture<EntryResult> attempt) {
        attempt.whenComplete((result, failure) -> {
            if (failure == null) {
                step(request, () -> entered(request, result));
            } else {
                failed(request, failure);
            }
        });
    }

    /** Answers a call whose node is known to have its share. */
    public void completeHeld(Request request) {
        step(request, () -> confirm(request));
    }

    private void step(Request request, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            failed(request, failure);
        }
    }

    /**
     * Removes a holder without a node, and one whose failure is final, at once; the caller withdraws the others. One that met
     * another kind of lock is answered when its node is gone.
     */
    private void failed(Request request, Throwable failure) {
        if (ZooKeeperFailures.isOtherKind(failure)) {
            remover.remove(request)
                    .whenComplete((released, unremoved) -> request.answer().completeExceptionally(failure));
            return;
        }
        if (request.node().state() == LockNode.State.NONE || !ZooKeeperFailures.mayPass(failure)) {
            remover.remove(request);
        }
        request.answer().completeExceptionally(failure);
    }

    private void entered(Request request, EntryResult result) {
        switch (result) {
            case HELD -> confirm(request);
            case WAITING -> answerWaiting(request);
            case UNORDERED -> {
                if (request.claim().queue()) {
                    completeGone(request);
                } else {
                    remover.remove(request);
                    request.complete(busy(request));
                }
            }
            case GONE -> completeGone(request);
        }
    }

    /** A caller that does not queue is answered when its node is gone: the node would make the next caller's try fail. */
    private void answerWaiting(Request request) {
        if (request.claim().queue()) {
            request.complete(busy(request));
        } else {
            remover.remove(request).whenComplete((released, failure) -> request.complete(busy(request)));
        }
    }

    private static Attempt busy(Request request) {
        LockNode node = request.node();
        if (!request.claim().queue() && node.waiting().behindKeepers()) {
            return new Attempt.Busy(RECALL_INTERVAL, true);
        }
        Duration timeout = node.session().timeout();
        Duration poll = node.waiting().mustPoll()
                ? POLL_INTERVAL
                : node.waiting().watchesIncomplete() ? LONG_QUEUE_POLL : timeout;
        return new Attempt.Busy(poll.compareTo(timeout) < 0 ? poll : timeout);
    }

    /** Answers a call whose holder can't get the lock any more. */
    public void completeGone(Request request) {
        remover.remove(request);
        request.complete(new Attempt.Gone());
    }

    /**
     * A grant needs a node, and a session deadline so far ahead that the next heartbeat comes before it: otherwise the lease
     * would end as soon as it began. So after a silence the answer waits for the session's confirmation, at most the command
     * timeout.
     */
    private void confirm(Request request) {
        if (deadlineFarEnough(request.node().session())) {
            grant(request);
            return;
        }
        LockNode node = request.node();
        String path = node.path();
        node.session()
                .check(List.of(path))
                .thenAccept(codes -> step(request, () -> {
                    if (codes.get(0) == Code.NONODE && node.vanished(path)) {
                        completeGone(request);
                    } else if (node.session().ended() || deadlineFarEnough(node.session())) {
                        grant(request);
                    } else if (!request.answer().isDone()) {
                        Duration pause = node.session().timeout().dividedBy(CHECKS_PER_TIMEOUT);
                        timing.schedule(pause, () -> step(request, () -> confirm(request)));
                    }
                }));
    }

    /**
     * Returns true if the deadline is far enough for a grant: a proof of a round trip takes a quarter of the timeout, see {@code
     * SessionDeadline}.
     */
    public boolean deadlineFarEnough(Session session) {
        return session.deadline() - timing.nanoTime() >= session.timeout().toNanos() / 4;
    }

    private void grant(Request request) {
        LockNode node = request.node();
        if (node.session().ended()) {
            completeGone(request);
            return;
        }
        Duration validity = Renewals.validity(request.claim(), node.session(), request.started());
        if (validity.isZero()) {
            throw ZooKeeperFailures.unknown("the lock was granted in a session that no quorum has confirmed lately");
        }
        if (node.token() >= Grant.TOKEN_LIMIT) {
            throw ZooKeeperFailures.incompatible(
                    "the transaction id " + node.token() + " is too large for a fencing token");
        }
        RecallWatch recall = node.recall();
        boolean recallable = recall != null && request.claim().keeps() && recall.live();
        request.complete(new Attempt.Granted(Grant.of(request.claim(), node.token(), validity), recallable));
    }
}
