package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
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

/** Callers who ask a server that stands still, each for a free lock of its own and with a wait: what they get, and when. */
public final class StoppedServerCallers {
    /** What each is ready to wait. */
    static final Duration WAIT = Duration.ofSeconds(1);

    private StoppedServerCallers() {}

    private record Told(Metric what, double overrunMillis) {}

    /**
     * Asks.
     *
     * @param user the client that all callers share, connected before the server was stopped
     * @param workload names the locks, one for each caller
     * @param limit who is kept longer beyond its wait than that is taken to hang
     * @return {@link Metric#OVERRUN_P50}, {@link Metric#OVERRUN_MAX} and how many callers were told what
     * @throws InterruptedException if the thread was interrupted
     */
    public static TrialResult ask(LockUser user, Workload workload, Duration limit) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(workload.threads(), task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            return thread;
        });
        long begin = System.nanoTime();
        List<Future<Told>> asking = new ArrayList<>();
        for (int caller = 0; caller < workload.threads(); caller++) {
            String name = workload.lockName(caller);
            asking.add(threads.submit(() -> ask(user, name)));
        }
        // They end by themselves when the server goes on.
        threads.shutdown();
        List<Told> answers = new ArrayList<>();
        for (Future<Told> one : asking) {
            answers.add(await(one, begin + WAIT.plus(limit).toNanos(), limit));
        }
        return trialResult(answers);
    }

    private static Told ask(LockUser user, String name) {
        long begin = System.nanoTime();
        Metric what;
        try {
            Optional<Hold> hold = user.tryAcquire(name, WAIT);
            what = hold.isPresent() ? Metric.TOLD_GRANTED : Metric.TOLD_BUSY;
        } catch (Exception e) {
            what = Metric.TOLD_ERROR;
        }
        return new Told(what, Math.max(0, System.nanoTime() - begin - WAIT.toNanos()) / 1e6);
    }

    private static Told await(Future<Told> one, long deadline, Duration limit) throws InterruptedException {
        try {
            return one.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return new Told(Metric.HUNG, limit.toMillis());
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TrialResult trialResult(List<Told> answers) {
        double[] overruns =
                answers.stream().mapToDouble(Told::overrunMillis).sorted().toArray();
        return new TrialResult(Map.of(
                Metric.OVERRUN_P50, Spread.of(overruns).median(),
                Metric.OVERRUN_MAX, Arrays.stream(overruns).max().orElseThrow(),
                Metric.TOLD_ERROR, count(answers, Metric.TOLD_ERROR),
                Metric.TOLD_BUSY, count(answers, Metric.TOLD_BUSY),
                Metric.TOLD_GRANTED, count(answers, Metric.TOLD_GRANTED),
                Metric.HUNG, count(answers, Metric.HUNG)));
    }

    private static double count(List<Told> answers, Metric what) {
        return answers.stream().filter(told -> told.what() == what).count();
    }
}
