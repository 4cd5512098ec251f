package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Two clients at work while the deciding server is killed, a fixed time after the start. They alternate on one lock,
 * which shows for how long neither gets it. The first client takes a second lock just before the kill and keeps it. The
 * other client requests that lock after the kill, which shows if it is granted while the first client still considers
 * it held. Exceptions are expected: after an exception, a client retries.
 */
public final class FailoverClients {
    /** The time from the start to the kill of the server. */
    public static final Duration KILL = Duration.ofSeconds(2);

    /** Shorter than the lag of the replica, so that the failover can lose the grant. */
    private static final Duration KEPT_BEFORE = Duration.ofMillis(200);

    private static final Duration TURN = Duration.ofMillis(2);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<LockUser> clients;
    private final long start;
    private final long end;
    private final List<HoldLog> turns = List.of(new HoldLog(), new HoldLog());
    private final List<HoldLog> kept = List.of(new HoldLog(), new HoldLog());

    private FailoverClients(List<LockUser> clients, long start, Duration watched) {
        this.clients = clients;
        this.start = start;
        this.end = start + KILL.plus(watched).toNanos();
    }

    /**
     * Works.
     *
     * @param clients two independent ones
     * @param workload names the locks
     * @param start when to begin on {@link System#nanoTime}
     * @param watched for how long after the kill
     * @return {@link Metric#GAP}, {@link Metric#OVERLAPS} and {@link Metric#STALE_TOKENS}
     * @throws ExecutionException if a client did not return in time
     * @throws InterruptedException if the thread was interrupted
     */
    public static TrialResult work(List<LockUser> clients, Workload workload, long start, Duration watched)
            throws ExecutionException, InterruptedException {
        return new FailoverClients(clients, start, watched).work(workload);
    }

    private interface Task {
        void run() throws Exception;
    }

    private TrialResult work(Workload workload) throws ExecutionException, InterruptedException {
        String common = workload.lockName(0);
        String keptName = workload.lockName(1);
        long kill = start + KILL.toNanos();
        List<Task> tasks = List.of(
                () -> takeTurns(0, common),
                () -> takeTurns(1, common),
                () -> keep(keptName, kill - KEPT_BEFORE.toNanos()),
                () -> askFor(keptName, kill + KEPT_BEFORE.toNanos()));
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(threads.submit(() -> {
                task.run();
                return true;
            })));
            await(running);
        } finally {
            threads.shutdownNow();
        }
        Safety seen = WatchedHolds.of(List.of(
                        log(common, turns.get(0)),
                        log(common, turns.get(1)),
                        log(keptName, kept.get(0)),
                        log(keptName, kept.get(1))))
                .safety();
        return new TrialResult(Map.of(
                Metric.GAP, gapMillis(kill),
                Metric.OVERLAPS, (double) seen.overlaps(),
                Metric.STALE_TOKENS, (double) seen.staleTokens()));
    }

    private void await(List<Future<?>> running) throws ExecutionException, InterruptedException {
        long deadline = end + PATIENCE.toNanos();
        try {
            for (Future<?> task : running) {
                task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            throw new ExecutionException(new IllegalStateException(
                    "a client did not return within " + PATIENCE.toSeconds() + " s after the others"));
        }
    }

    private static WorkerLog log(String name, HoldLog holds) {
        return new WorkerLog(List.of(name), holds.size(), 0, new Histogram(1), holds);
    }

    private void takeTurns(int client, String name) throws InterruptedException {
        sleepUntil(start);
        while (System.nanoTime() - end < 0) {
            Optional<Hold> hold = tryAcquire(client, name);
            if (hold.isPresent()) {
                long entered = System.nanoTime();
                LockSupport.parkNanos(TURN.toNanos());
                turns.get(client).add(0, entered, System.nanoTime(), hold.get().token(), LockMode.EXCLUSIVE);
                release(hold.get());
            }
        }
    }

    /**
     * Keeps the lock until its client no longer considers it held, or until the end. A library without loss detection
     * always considers it held.
     */
    private void keep(String name, long when) throws InterruptedException {
        sleepUntil(when);
        Optional<Hold> hold = tryAcquire(0, name);
        if (hold.isPresent()) {
            long entered = System.nanoTime();
            long left = entered;
            while (hold.get().believesHeld() && System.nanoTime() - end < 0) {
                left = System.nanoTime();
                LockSupport.parkNanos(LOOK.toNanos());
            }
            kept.get(0).add(0, entered, left, hold.get().token(), LockMode.EXCLUSIVE);
            release(hold.get());
        }
    }

    private void askFor(String name, long when) throws InterruptedException {
        sleepUntil(when);
        while (System.nanoTime() - end < 0) {
            Optional<Hold> hold = tryAcquire(1, name);
            if (hold.isPresent()) {
                long entered = System.nanoTime();
                kept.get(1).add(0, entered, entered, hold.get().token(), LockMode.EXCLUSIVE);
                release(hold.get());
                return;
            }
        }
    }

    private Optional<Hold> tryAcquire(int client, String name) throws InterruptedException {
        try {
            return clients.get(client).tryAcquire(name, WAIT);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            LockSupport.parkNanos(LOOK.toNanos());
            return Optional.empty();
        }
    }

    private static void release(Hold hold) throws InterruptedException {
        try {
            boolean ignored = hold.release();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // The server is gone.
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private static void sleepUntil(long when) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, when - System.nanoTime()));
    }

    /** From the last turn before the kill; to the end if no client gets the lock again. */
    private double gapMillis(long kill) {
        long[] entered = turns.stream()
                .flatMapToLong(log -> log.entered().map(each -> each - start))
                .sorted()
                .toArray();
        long longest = 0;
        long last = kill - start;
        for (long each : entered) {
            if (each <= kill - start) {
                last = each;
            } else {
                longest = Math.max(longest, Math.min(each, end - start) - last);
                last = Math.min(each, end - start);
            }
        }
        return Math.max(longest, end - start - last) / 1e6;
    }
}
