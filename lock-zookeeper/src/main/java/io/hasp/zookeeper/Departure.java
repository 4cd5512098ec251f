package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives one place up: waits for the answer of whatever is under way, finds the node if its creation went unanswered, and
 * deletes it. To be repeated while it fails; a deletion that went unanswered is repeated as well, and finding nothing then
 * means that it happened, as it does after a transaction that was to put another node in its place. Thread-safe.
 */
final class Departure {
    private final Place place;
    private final Supplier<Session> current;
    private boolean deletionUnanswered;
    private boolean repeated;
    private @Nullable CompletableFuture<Released> underWay;

    /**
     * For a place.
     *
     * @param current the session to delete through, which may be a later one than the place's; throws a
     *     {@link BackendFailure} if there is none
     */
    Departure(Place place, Supplier<Session> current) {
        this.place = place;
        this.current = current;
    }

    /** One try, or the one that is under way. Once it succeeds nothing is left on the server. */
    CompletableFuture<Released> attempt() {
        CompletableFuture<Released> attempt = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                return underWay;
            }
            underWay = attempt;
        }
        place.leave(() -> attempting(attempt, this::remove));
        return attempt;
    }

    /** A step whose failure is the attempt's. */
    private void attempting(CompletableFuture<Released> attempt, Consumer<CompletableFuture<Released>> step) {
        try {
            step.accept(attempt);
        } catch (RuntimeException | Error failure) {
            failed(attempt, failure);
        }
    }

    private void failed(CompletableFuture<Released> attempt, Throwable failure) {
        over();
        attempt.completeExceptionally(failure);
    }

    private void succeeded(CompletableFuture<Released> attempt, Released released) {
        over();
        attempt.complete(released);
    }

    private synchronized void over() {
        underWay = null;
    }

    /** Whether somebody has to see to the next try; false if somebody does already. */
    synchronized boolean repeat() {
        boolean first = !repeated;
        repeated = true;
        return first;
    }

    /** The next try, which {@link #repeat} promised, begins. */
    synchronized void repeating() {
        repeated = false;
    }

    private void remove(CompletableFuture<Released> attempt) {
        Session session = current.get();
        switch (place.state()) {
            case NONE, VANISHED -> {
                place.stopWatching();
                succeeded(attempt, place.givesWay() ? Released.RELEASED : Released.NOT_HELD);
            }
            case UNKNOWN -> find(attempt, session);
            case QUEUED -> deleteOwn(attempt, session, Released.NOT_HELD);
            case HELD ->
                deleteOwn(attempt, session, session == place.session() ? Released.RELEASED : Released.NOT_HELD);
        }
    }

    private void find(CompletableFuture<Released> attempt, Session session) {
        place.folder().find(place.holder(), session).whenComplete((found, failure) -> {
            if (failure != null) {
                failed(attempt, Failures.cause(failure));
            } else if (found.isEmpty()) {
                succeeded(attempt, Released.NOT_HELD);
            } else {
                attempting(attempt, deleting -> delete(deleting, session, found, Released.NOT_HELD));
            }
        });
    }

    private void deleteOwn(CompletableFuture<Released> attempt, Session session, Released ifThere) {
        delete(attempt, session, place.node(), ifThere);
        place.stopWatching();
    }

    private void delete(CompletableFuture<Released> attempt, Session session, String path, Released ifThere) {
        session.delete(path, reply -> attempting(attempt, deleting -> succeeded(deleting, deleted(reply, ifThere))));
    }

    private Released deleted(Reply<Boolean> reply, Released ifThere) {
        if (reply.ok()) {
            place.deleted();
        }
        synchronized (this) {
            if (reply.ok() || (reply.noNode() && (deletionUnanswered || place.givesWay()))) {
                return ifThere;
            }
            if (reply.noNode()) {
                return Released.NOT_HELD;
            }
            deletionUnanswered |= Failures.outcome(reply.code()) == BackendFailure.Outcome.UNKNOWN;
        }
        throw Failures.of(reply.code(), "release the lock at " + place.folder().path());
    }
}
