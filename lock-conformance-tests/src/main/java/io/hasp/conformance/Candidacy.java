package io.hasp.conformance;

import io.hasp.ElectionOptions;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes a lock as the leader of an election, whose work lasts as long as the hold. Stateless. */
final class Candidacy {
    /** A candidate is told of its election by another thread, so that a zero wait would end before. */
    private static final Duration SHORTEST = Timings.units(1);

    private Candidacy() {}

    static Optional<Hold> elected(LockClient client, String name, Duration wait) throws InterruptedException {
        LeaderElection election =
                client.election(name, ElectionOptions.defaults().pause(Timings.units(1)));
        CompletableFuture<Term> begun = new CompletableFuture<>();
        boolean leads = false;
        try {
            election.run(term -> {
                if (begun.complete(term)) {
                    new CountDownLatch(1).await();
                } else {
                    election.close();
                }
            });
            Duration patience = wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait;
            Term term = begun.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            leads = true;
            return Optional.of(new Leading(election, term));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new AssertionError("completed normally only", e);
        } finally {
            if (!leads) {
                election.close();
            }
        }
    }

    private record Leading(LeaderElection election, Term term) implements Hold {

        @Override
        public boolean release() {
            boolean led = believesHeld();
            election.close();
            return led;
        }

        @Override
        public OptionalLong token() {
            return OptionalLong.of(term.fencingToken());
        }

        @Override
        public boolean believesHeld() {
            return election.term().filter(term::equals).isPresent();
        }
    }
}
