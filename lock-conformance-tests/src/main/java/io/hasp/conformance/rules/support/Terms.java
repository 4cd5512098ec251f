package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.ElectionOptions;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Candidates of one election with a client each, whose work notes when it begins and is interrupted. Thread-safe. */
public final class Terms implements AutoCloseable {
    private final HaspSubject subject;
    private final String name;
    private final List<LockClient> clients = new ArrayList<>();

    public Terms(HaspSubject subject, String name) {
        this.subject = subject;
        this.name = name;
    }

    /** One candidate, and the moments of its work by the machine's clock. */
    public record Candidate(LeaderElection election, BlockingQueue<Long> begun, BlockingQueue<Long> interrupted) {

        /** Returns when the next term began. */
        public long begins(Duration within, String orElse) throws InterruptedException {
            return next(begun, within, orElse);
        }

        /** Returns when the work of the next term was interrupted. */
        public long isInterrupted(Duration within, String orElse) throws InterruptedException {
            return next(interrupted, within, orElse);
        }

        private static long next(BlockingQueue<Long> moments, Duration within, String orElse)
                throws InterruptedException {
            Long moment = moments.poll(within.toNanos(), TimeUnit.NANOSECONDS);
            assertThat(moment).as(orElse).isNotNull();
            return moment;
        }
    }

    public Candidate join() {
        return join(options -> options);
    }

    /** A candidate whose work lasts until it is interrupted. */
    public Candidate join(UnaryOperator<ClientOptions> options) {
        LeaderElection election = election(options);
        Candidate candidate = new Candidate(election, new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        election.run(term -> {
            candidate.begun().add(System.nanoTime());
            try {
                TimeUnit.HOURS.sleep(1);
            } catch (InterruptedException e) {
                candidate.interrupted().add(System.nanoTime());
            }
        });
        return candidate;
    }

    public LeaderElection election(UnaryOperator<ClientOptions> options) {
        LockClient client = subject.connect(options);
        synchronized (clients) {
            clients.add(client);
        }
        return client.election(name, ElectionOptions.defaults().pause(Timings.units(1)));
    }

    @Override
    public void close() throws Exception {
        synchronized (clients) {
            List<Callable<LockClient>> ends = new ArrayList<>();
            for (LockClient client : clients) {
                ends.add(() -> {
                    client.closeNow();
                    return client;
                });
            }
            for (Future<LockClient> end : InParallel.run(ends)) {
                end.get();
            }
        }
    }
}
