package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** What claims are answered, from where their places stand; and what becomes of the places. Thread-safe. */
final class Answers {
    /** Where transaction ids, with the token floor, must end. */
    static final long TOKENS_END = 1L << 55;

    /** Gives places up. */
    interface Departing {
        /** Completes when nothing of it is left on the server. */
        CompletableFuture<Released> depart(Place place);
    }

    private final Timing timing;
    private final Departing departing;

    Answers(Timing timing, Departing departing) {
        this.timing = timing;
        this.departing = departing;
    }

    /**
     * A claim to be answered.
     *
     * @param started when the caller asked
     * @param answer to be completed
     */
    record Asked(Claim claim, Place place, long started, CompletableFuture<Attempt> answer) {
        private void isAnswered(Attempt attempt) {
            answer.complete(attempt);
        }
    }

    /** Answers when the attempt is over. */
    void give(Asked asked, CompletableFuture<Place.Standing> attempt) {
        attempt.whenComplete((standing, failure) -> {
            try {
                if (failure == null) {
                    found(asked, standing);
                } else {
                    failed(asked, failure);
                }
            } catch (RuntimeException | Error refused) {
                asked.answer().completeExceptionally(refused);
            }
        });
    }

    /** A place without a node, or one that can't become anything, is given up at once. */
    private void failed(Asked asked, Throwable failure) {
        if (asked.place().state() == Place.State.NONE || !Failures.mayPass(failure)) {
            departing.depart(asked.place());
        }
        asked.answer().completeExceptionally(failure);
    }

    private void found(Asked asked, Place.Standing standing) {
        switch (standing) {
            case HELD -> confirm(asked);
            case WAITING -> wait(asked);
            case UNORDERED -> {
                if (asked.claim().queue()) {
                    gone(asked);
                } else {
                    departing.depart(asked.place());
                    asked.isAnswered(busy(asked));
                }
            }
            case GONE -> gone(asked);
        }
    }

    /** Who does not queue is answered only when its node is gone: it would make the next one's try fail. */
    private void wait(Asked asked) {
        if (asked.claim().queue()) {
            asked.isAnswered(busy(asked));
        } else {
            departing.depart(asked.place()).whenComplete((released, failure) -> asked.isAnswered(busy(asked)));
        }
    }

    private static Attempt busy(Asked asked) {
        return new Attempt.Busy(asked.place().session().timeout());
    }

    /** The place is of no use any more. */
    void gone(Asked asked) {
        departing.depart(asked.place());
        asked.isAnswered(new Attempt.Gone());
    }

    /** Who became first without asking, after a silence, asks now: a grant needs a deadline ahead, and a node. */
    private void confirm(Asked asked) {
        Place place = asked.place();
        if (place.session().deadline() - timing.nanoTime() > 0) {
            asked.isAnswered(grant(asked));
            return;
        }
        CompletableFuture<Attempt> confirmed = place.session()
                .check(List.of(place.node()))
                .thenApply(codes -> {
                    if (codes.get(0) == Code.NONODE) {
                        place.vanished();
                        departing.depart(place);
                        return new Attempt.Gone();
                    }
                    return grant(asked);
                });
        Futures.relay(confirmed, asked.answer());
    }

    private static Attempt grant(Asked asked) {
        Place place = asked.place();
        Duration validity = Renewals.validity(asked.claim(), place.session(), asked.started());
        if (validity.isZero()) {
            throw Failures.unknown("the lock was granted in a session that no quorum has confirmed lately");
        }
        if (place.token() >= TOKENS_END) {
            throw Failures.incompatible("the transaction id " + place.token() + " is too large for a fencing token");
        }
        return new Attempt.Granted(new Grant(asked.claim(), place.token(), validity));
    }
}
