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
 */
final class TakeoverTrial {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** After this time this process waits for sure. */
    private static final Duration QUEUEING = Duration.ofMillis(500);

    private final Participant subject;
    private final Environment environment;

    TakeoverTrial(Participant subject, Environment environment) {
        this.subject = subject;
        this.environment = environment.on(ClientProfile.SHORT);
    }

    TrialResult run(Workload workload) throws ExecutionException, InterruptedException {
        try (ClientProcesses holder = ClientProcesses.start(1, environment, List.of(subject.reference()));
                Waiting waiting = new Waiting(open(), Executors.newSingleThreadExecutor())) {
            boolean held = holder.ask(client ->
                            client.ask(Command.HOLD, subject.label(), workload, 0, Duration.ZERO, answer -> true))
                    .get();
            Future<Long> taken = waiting.take(workload.lockName(0));
            long third = Experiments.LEASE.dividedBy(3).toNanos();
            TimeUnit.NANOSECONDS.sleep(
                    QUEUEING.toNanos() + ThreadLocalRandom.current().nextLong(third));
            long killed = System.nanoTime();
            holder.kill();
            double millis = (taken.get() - killed) / 1e6;
            if (!held || millis < 0) {
                throw new ExecutionException(
                        new IllegalStateException("a lock was given to a second client while the first held it"));
            }
            return new TrialResult(Map.of(Metric.TAKEOVER, millis));
        }
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

    private record Waiting(LockUser user, ExecutorService thread) implements AutoCloseable {

        /** The time when it got the lock. */
        Future<Long> take(String name) {
            return thread.submit(() -> {
                Hold hold = user.tryAcquire(name, PATIENCE)
                        .orElseThrow(() -> new IllegalStateException(
                                "the lock of a killed process was not free within " + PATIENCE.toSeconds() + " s"));
                long taken = System.nanoTime();
                boolean ignored = hold.release();
                return taken;
            });
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
