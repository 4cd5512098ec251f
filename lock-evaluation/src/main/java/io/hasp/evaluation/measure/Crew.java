package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/** The threads of one process that work on one lock client for one slice of time. They start together. */
final class Crew {
    private final List<Lane> lanes = new ArrayList<>();
    private final Map<String, Witness> witnesses = new ConcurrentHashMap<>();
    private final AtomicBoolean abandoned = new AtomicBoolean();

    private Crew(LockUser user, Workload workload) {
        for (int thread = 0; thread < workload.threads(); thread++) {
            String name = workload.lockName(thread);
            lanes.add(new Lane(user, workload, name, witnesses.computeIfAbsent(name, any -> new Witness())));
        }
    }

    /**
     * Works for one slice.
     *
     * @throws ExecutionException if the lock threw or never came back
     */
    static Tally work(LockUser user, Workload workload, Duration slice)
            throws ExecutionException, InterruptedException {
        return new Crew(user, workload).work(slice);
    }

    private Tally work(Duration slice) throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
        try {
            long[] end = new long[1];
            CyclicBarrier start = new CyclicBarrier(lanes.size(), () -> end[0] = System.nanoTime() + slice.toNanos());
            List<Future<?>> running = new ArrayList<>();
            for (Lane lane : lanes) {
                running.add(threads.submit(() -> {
                    start.await();
                    lane.work(end[0], abandoned::get);
                    return null;
                }));
            }
            await(running, slice);
        } finally {
            abandoned.set(true);
            threads.shutdownNow();
        }
        return tally(slice);
    }

    private void await(List<Future<?>> running, Duration slice) throws ExecutionException, InterruptedException {
        Duration patience = slice.plus(Lane.LONGEST_WAIT.multipliedBy(2));
        long deadline = System.nanoTime() + patience.toNanos();
        for (Future<?> lane : running) {
            try {
                lane.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new ExecutionException(
                        new IllegalStateException("a thread did not come back within " + patience.toSeconds() + " s"));
            }
        }
    }

    private Tally tally(Duration slice) {
        List<Long> perThread = lanes.stream().map(Lane::finished).toList();
        Histogram times = new Histogram(lanes.get(0).times());
        lanes.forEach(lane -> times.add(lane.times()));
        Safety safety = witnesses.values().stream().map(Witness::seen).reduce(Safety.NOTHING_SEEN, Safety::plus);
        return new Tally(slice, perThread, times, safety);
    }
}
