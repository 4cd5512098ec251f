package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives one place up: waits for the answer of whatever is under way, finds the node if its creation went unanswered, and
 * deletes it. To be repeated while it fails; a deletion that went unanswered is repeated as well, and finding nothing then
 * means that it happened. Thread-safe.
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
        place.leave().thenCompose(answered -> remove()).whenComplete((released, failure) -> {
            synchronized (this) {
                underWay = null;
            }
            if (failure == null) {
                attempt.complete(released);
            } else {
                attempt.completeExceptionally(failure);
            }
        });
        return attempt;
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

    private CompletableFuture<Released> remove() {
        Session session = current.get();
        return switch (place.state()) {
            case NONE, VANISHED -> {
                place.stopWatching();
                yield CompletableFuture.completedFuture(Released.NOT_HELD);
            }
            case UNKNOWN ->
                place.folder()
                        .find(place.holder(), session)
                        .thenCompose(found -> found.isEmpty()
                                ? CompletableFuture.completedFuture(Released.NOT_HELD)
                                : delete(session, found, Released.NOT_HELD));
            case QUEUED -> deleteOwn(session, Released.NOT_HELD);
            case HELD -> deleteOwn(session, session == place.session() ? Released.RELEASED : Released.NOT_HELD);
        };
    }

    private CompletableFuture<Released> deleteOwn(Session session, Released ifThere) {
        CompletableFuture<Released> deleted = delete(session, place.node(), ifThere);
        place.stopWatching();
        return deleted;
    }

    private CompletableFuture<Released> delete(Session session, String path, Released ifThere) {
        return session.delete(path).thenApply(reply -> {
            if (reply.ok()) {
                place.deleted();
            }
            synchronized (this) {
                if (reply.ok() || (reply.noNode() && deletionUnanswered)) {
                    return ifThere;
                }
                if (reply.noNode()) {
                    return Released.NOT_HELD;
                }
                deletionUnanswered |= Failures.outcome(reply.code()) == BackendFailure.Outcome.UNKNOWN;
            }
            throw Failures.of(
                    reply.code(), "release the lock at " + place.folder().path());
        });
    }
}
