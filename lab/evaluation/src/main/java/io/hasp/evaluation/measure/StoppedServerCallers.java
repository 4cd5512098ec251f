package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.statistics.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Callers of stopped servers. Each requests a free lock of its own, with a wait; its answer and the time of the answer
 * are recorded.
 */
public final class StoppedServerCallers {
    /** The wait of each caller. */
    static final Duration WAIT = Duration.ofSeconds(1);

    private StoppedServerCallers() {}

    private record Answer(Metric what, double overrunMillis) {}

    /**
     * Makes the calls.
     *
     * @param user the client that all callers share, connected before the server was stopped
     * @param workload names the locks, one for each caller
     * @param limit a call that lasts longer than this beyond its wait counts as hung
     * @return {@link Metric#OVERRUN_P50}, {@link Metric#OVERRUN_MAX} and the number of callers for each answer
     * @throws InterruptedException if the thread was interrupted
     */
    public static TrialResult ask(LockUser user, Workload workload, Duration limit) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(workload.threads(), task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            return thread;
        });
        long begin = System.nanoTime();
        List<Future<Answer>> asking = new ArrayList<>();
        for (int caller = 0; caller < workload.threads(); caller++) {
            String name = workload.lockName(caller);
            asking.add(threads.submit(() -> ask(user, name)));
        }
        // They end when the servers resume.
        threads.shutdown();
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> one : asking) {
            answers.add(await(one, begin + WAIT.plus(limit).toNanos(), limit));
        }
        return trialResult(answers);
    }

    private static Answer ask(LockUser user, String name) {
        long begin = System.nanoTime();
        Metric what;
        try {
            Optional<Hold> hold = user.tryAcquire(name, WAIT);
            what = hold.isPresent() ? Metric.TOLD_GRANTED : Metric.TOLD_BUSY;
        } catch (Exception e) {
            what = Metric.TOLD_ERROR;
        }
        return new Answer(what, Math.max(0, System.nanoTime() - begin - WAIT.toNanos()) / 1e6);
    }

    private static Answer await(Future<Answer> one, long deadline, Duration limit) throws InterruptedException {
        try {
            return one.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Answer(Metric.HUNG, limit.toMillis());
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TrialResult trialResult(List<Answer> answers) {
        double[] overruns =
                answers.stream().mapToDouble(Answer::overrunMillis).sorted().toArray();
        return new TrialResult(Map.of(
                Metric.OVERRUN_P50, Spread.of(overruns).median(),
                Metric.OVERRUN_MAX, Arrays.stream(overruns).max().orElseThrow(),
                Metric.TOLD_ERROR, count(answers, Metric.TOLD_ERROR),
                Metric.TOLD_BUSY, count(answers, Metric.TOLD_BUSY),
                Metric.TOLD_GRANTED, count(answers, Metric.TOLD_GRANTED),
                Metric.HUNG, count(answers, Metric.HUNG)));
    }

    private static double count(List<Answer> answers, Metric what) {
        return answers.stream().filter(answer -> answer.what() == what).count();
    }
}
