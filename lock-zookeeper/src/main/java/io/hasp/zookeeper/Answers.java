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
    /** How often it is asked after a silence whether a quorum has confirmed the session. */
    private static final int LOOKS_PER_TIMEOUT = 16;

    /** Where transaction ids, with the token floor, must end. */
    static final long TOKENS_END = 1L << 55;

    /** How often who is not woken asks. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

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
            if (failure == null) {
                answering(asked, () -> found(asked, standing));
            } else {
                failed(asked, failure);
            }
        });
    }

    private void answering(Asked asked, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error failure) {
            failed(asked, failure);
        }
    }

    /** A place without a node, or one that can't become anything, is given up at once; the rest is left to who asked. */
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
        Duration timeout = asked.place().session().timeout();
        return new Attempt.Busy(
                asked.place().polls() && POLL_INTERVAL.compareTo(timeout) < 0 ? POLL_INTERVAL : timeout);
    }

    /** The place is of no use any more. */
    void gone(Asked asked) {
        departing.depart(asked.place());
        asked.isAnswered(new Attempt.Gone());
    }

    /**
     * A grant needs a node, and a deadline so far ahead that it can be confirmed before: what is left of the one from before a
     * silence would end the lease as soon as it began. So after a silence the answer waits, at most the command timeout.
     */
    private void confirm(Asked asked) {
        if (goodForAWhile(asked.place().session())) {
            grant(asked);
            return;
        }
        Place place = asked.place();
        place.session()
                .check(List.of(place.node()))
                .thenAccept(codes -> answering(asked, () -> {
                    if (codes.get(0) == Code.NONODE) {
                        place.vanished();
                        gone(asked);
                    } else if (place.session().ended() || goodForAWhile(place.session())) {
                        grant(asked);
                    } else if (!asked.answer().isDone()) {
                        Duration pause = place.session().timeout().dividedBy(LOOKS_PER_TIMEOUT);
                        timing.schedule(pause, () -> answering(asked, () -> confirm(asked)));
                    }
                }));
    }

    /** A round trip proves itself a quarter of the timeout after it was answered. */
    private boolean goodForAWhile(Session session) {
        return session.deadline() - timing.nanoTime() >= session.timeout().toNanos() / 4;
    }

    private void grant(Asked asked) {
        Place place = asked.place();
        if (place.session().ended()) {
            gone(asked);
            return;
        }
        Duration validity = Renewals.validity(asked.claim(), place.session(), asked.started());
        if (validity.isZero()) {
            throw Failures.unknown("the lock was granted in a session that no quorum has confirmed lately");
        }
        if (place.token() >= TOKENS_END) {
            throw Failures.incompatible("the transaction id " + place.token() + " is too large for a fencing token");
        }
        asked.isAnswered(new Attempt.Granted(Grant.of(asked.claim(), place.token(), validity)));
    }
}
