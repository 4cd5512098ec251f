package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition in progress: queued locally, then talking to the server by its {@link Attempts}, until it is granted,
 * refused, failed or abandoned, or takes over from a local holder. Whichever of these comes first ends it; the attempts
 * know. Steps that may block run on {@code turns}: the waiting caller, or the engine's threads.
 */
final class Contender {
    private static final System.Logger LOG = System.getLogger("io.hasp");

    final Attempts attempts;

    private final Engine engine;
    private final LocalQueue queue;
    private final Terms terms;
    private final Executor turns;
    private final long joinedAt;
    private final long wait;
    private final @Nullable EndOfWait endOfWait;
    private final CompletableFuture<Optional<Tenure>> result = new CompletableFuture<>();

    /** A contender for {@code queue}, which it has entered; {@code wait} in nanoseconds, zero for a single attempt. */
    Contender(Engine engine, LocalQueue queue, LockOptions options, long wait, Executor turns) {
        this.engine = engine;
        this.queue = queue;
        this.terms = new Terms(options, engine.options);
        this.wait = wait;
        this.turns = turns;
        this.joinedAt = engine.now();
        this.attempts = new Attempts(engine, queue, this, terms, wait > 0);
        this.endOfWait =
                wait > 0 && wait < Durations.FOREVER ? new EndOfWait(engine, queue, this, joinedAt, wait) : null;
    }

    CompletableFuture<Optional<Tenure>> result() {
        return result;
    }

    void start() {
        if (wait == 0) {
            Tenure held = queue.holder();
            if (held != null && held.state() == LeaseState.HELD) {
                giveUp();
            } else {
                proceed();
            }
            return;
        }
        queue.join(this);
        if (engine.closed()) {
            // It may have joined after the client's close() looked who waits.
            abandon(engine.closedException());
        }
    }

    /** The caller goes to sleep now. To be called once. */
    void rest() {
        engine.handles.waits(queue.holder());
        watchEndOfWait();
    }

    /** Starts the timer of the wait, and lets the end of the client end it at the latest. To be called once. */
    void watchEndOfWait() {
        engine.calls.track(result);
        if (endOfWait != null) {
            endOfWait.start();
        }
    }

    /** At the head, with no lease of this client alive: talk to the server. */
    void proceed() {
        if (engine.closed()) {
            abandon(engine.closedException());
        } else {
            turns.execute(attempts::attempt);
        }
    }

    /** Whether a refusal is final: there is no time left to wait. */
    boolean isOver() {
        return wait == 0 || engine.now() >= joinedAt + wait;
    }

    void granted(Grant grant, long deadline, long sentAt, HolderNews news) {
        LeaseLife life = LeaseLife.held(deadline, terms.cap(sentAt), Durations.nanos(grant.validity()));
        Tenure tenure = new Tenure(engine, queue, grant, terms, life, sentAt, news);
        if (attempts.end()) {
            hold(tenure);
        } else {
            engine.withdrawals.withdraw(grant.claim());
        }
    }

    /** Takes over from a lease of the same client; false if this contender has ended. */
    boolean takeOver(Tenure from) {
        if (!attempts.endAndWithdraw()) {
            return false;
        }
        Tenure tenure = from.successor(terms);
        engine.events.handedOver(queue.name, tenure.token());
        hold(tenure);
        return true;
    }

    private void hold(Tenure tenure) {
        try {
            begin(tenure);
        } catch (Throwable broken) {
            tenure.denied("it could not begin: " + broken);
            broken(broken);
            queue.leave(this);
        }
    }

    private void begin(Tenure tenure) {
        cancelEndOfWait();
        queue.granted(this, tenure);
        tenure.catchUp();
        engine.watchdog.watch(tenure);
        if (engine.closed()) {
            new Lease(engine, tenure).releaseAsync();
            result.completeExceptionally(engine.closedException());
        } else {
            engine.events.acquired(queue.name, tenure.token(), engine.now() - joinedAt);
            result.complete(Optional.of(tenure));
        }
    }

    /** Whether a grant that was asked for with that lease is as good for this contender as one of its own. */
    boolean takesHandOff(Duration lease) {
        return terms.renewed() && terms.lease().equals(lease);
    }

    /** Fails if the backend has been unavailable for too long of this contender's own wait. */
    boolean failIfOverdue(long failingSince, BackendFailure failure) {
        long limit = Math.min(Durations.nanos(engine.options.unavailableAfter()), wait);
        if (engine.now() - Math.max(failingSince, joinedAt) < limit) {
            return false;
        }
        fail(failure);
        return true;
    }

    void fail(BackendFailure failure) {
        if (finish()) {
            if (failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
                engine.events.outcomeUnknown(queue.name);
            }
            result.completeExceptionally(new BackendUnavailableException(
                    "could not lock '" + queue.name + "': " + failure.getMessage(), failure));
        }
    }

    /** Gives up for a reason of the caller's; false if it had ended already, so that a lease may be in the result. */
    boolean abandon(RuntimeException reason) {
        return finish() && result.completeExceptionally(reason);
    }

    /** Ends because of an error in this process: the one who waits must hear of it. */
    void broken(Throwable error) {
        LOG.log(System.Logger.Level.ERROR, "an acquisition of lock '" + queue.name + "' failed", error);
        BackendFailure failure = new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "the client failed: " + error, error);
        fail(failure);
        result.completeExceptionally(new BackendUnavailableException(
                "could not lock '" + queue.name + "': " + failure.getMessage(), failure));
    }

    /** There is news: false if the wait is over and can't be decided by that. */
    boolean reconsidered() {
        return endOfWait == null || !isOver() || endOfWait.decided();
    }

    /** Ends without the lock because others hold it. */
    void giveUp() {
        if (finish()) {
            engine.events.contended(queue.name, engine.now() - joinedAt);
            result.complete(Optional.empty());
        }
    }

    /** Without a lease. */
    private boolean finish() {
        if (!attempts.endAndWithdraw()) {
            return false;
        }
        cancelEndOfWait();
        queue.leave(this);
        engine.queues.leave(queue);
        return true;
    }

    private void cancelEndOfWait() {
        if (endOfWait != null) {
            endOfWait.cancel();
        }
    }
}
