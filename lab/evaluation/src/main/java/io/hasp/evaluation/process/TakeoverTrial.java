package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.TrialResult;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.subject.Participant;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A client process takes a lock and is killed at a random moment between two renewals, while this process waits for it.
 * The leaders of an election then also resign.
 */
final class TakeoverTrial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** After this time this process waits for sure. */
    private static final Duration QUEUEING = Duration.ofMillis(500);

    /** Of each trial; their median is its figure. */
    private static final int RESIGNATIONS = 5;

    private static final int RESIGNATIONS_BEFORE = 2;

    private final Participant subject;
    private final Environment environment;

    TakeoverTrial(Participant subject, Environment environment) {
        this.subject = subject;
        this.environment = environment.on(ClientProfile.SHORT);
    }

    TrialResult run(Workload workload) throws ExecutionException, InterruptedException {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        try (Waiting waiting = waiting()) {
            figures.put(Metric.TAKEOVER, takeover(workload, waiting));
            if (workload.experiment().metrics().contains(Metric.RESIGNATION)) {
                figures.put(Metric.RESIGNATION, resignation(workload.lockName(0), waiting));
            }
        }
        return new TrialResult(figures);
    }

    private double takeover(Workload workload, Waiting waiting) throws ExecutionException, InterruptedException {
        try (ClientProcesses holder = ClientProcesses.start(1, environment, List.of(subject.reference()))) {
            boolean held = holder.ask(client ->
                            client.ask(Command.HOLD, subject.label(), workload, 0, Duration.ZERO, answer -> true))
                    .get();
            Future<Taken> taken = waiting.take(workload.lockName(0));
            long third = Experiments.LEASE.dividedBy(3).toNanos();
            TimeUnit.NANOSECONDS.sleep(
                    QUEUEING.toNanos() + ThreadLocalRandom.current().nextLong(third));
            long killed = System.nanoTime();
            holder.kill();
            double millis = millis(killed, taken.get());
            waiting.release(taken.get()).get();
            if (!held || millis < 0) {
                throw new ExecutionException(
                        new IllegalStateException("a lock was given to a second client while the first held it"));
            }
            return millis;
        }
    }

    /** Two clients lead in turn. The first changes are not counted: their code runs for the first time. */
    private double resignation(String name, Waiting one) throws ExecutionException, InterruptedException {
        try (Waiting other = waiting()) {
            double[] millis = new double[RESIGNATIONS];
            Waiting leader = one;
            Waiting next = other;
            Taken term = leader.take(name).get();
            for (int i = -RESIGNATIONS_BEFORE; i < RESIGNATIONS; i++) {
                Future<Taken> elected = next.take(name);
                TimeUnit.NANOSECONDS.sleep(QUEUEING.toNanos());
                long resigned = System.nanoTime();
                Future<Boolean> released = leader.release(term);
                term = elected.get();
                if (i >= 0) {
                    millis[i] = millis(resigned, term);
                }
                released.get();
                Waiting resigning = leader;
                leader = next;
                next = resigning;
            }
            leader.release(term).get();
            Arrays.sort(millis);
            return millis[RESIGNATIONS / 2];
        }
    }

    private static double millis(long from, Taken until) {
        return (until.at() - from) / 1e6;
    }

    private Waiting waiting() throws ExecutionException, InterruptedException {
        return new Waiting(open(), Executors.newSingleThreadExecutor());
    }

    private LockUser open() throws ExecutionException, InterruptedException {
        try {
            return subject.in(environment).open();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException(e);
        }
    }

    /** The time when a client got the lock. */
    private record Taken(Hold hold, long at) {}

    private record Waiting(LockUser user, ExecutorService thread) implements AutoCloseable {

        Future<Taken> take(String name) {
            return thread.submit(() -> {
                Hold hold = user.tryAcquire(name, PATIENCE)
                        .orElseThrow(() -> new IllegalStateException(
                                "the lock of a killed process was not free within " + PATIENCE.toSeconds() + " s"));
                return new Taken(hold, System.nanoTime());
            });
        }

        /** On the thread that took the lock. */
        Future<Boolean> release(Taken taken) {
            return thread.submit(() -> taken.hold().release());
        }

        @Override
        public void close() throws ExecutionException {
            thread.shutdownNow();
            try {
                user.close();
            } catch (Exception e) {
                throw new ExecutionException(e);
            }
        }
    }
}
