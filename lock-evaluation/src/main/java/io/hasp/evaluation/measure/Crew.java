package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The threads of one process that work for one slice of time. They start together. */
final class Crew {
    private final List<Lane> lanes = new ArrayList<>();
    private final AtomicBoolean abandoned = new AtomicBoolean();

    private Crew(List<LockUser> clients, Workload workload) {
        for (int thread = 0; thread < workload.threads(); thread++) {
            LockUser client = clients.get(thread % clients.size());
            lanes.add(new Lane(client, workload, workload.lockName(thread)));
        }
    }

    /**
     * Works for one slice.
     *
     * @param clients one that all threads share, or one for each
     * @param start when the slice begins on {@link System#nanoTime}, at the earliest: crews of several processes begin
     *     together
     * @throws ExecutionException if the lock threw or never came back
     */
    static List<LaneLog> work(List<LockUser> clients, Workload workload, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        return new Crew(clients, workload).work(start, slice);
    }

    private List<LaneLog> work(long start, Duration slice) throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
        try {
            long[] end = new long[1];
            CountDownLatch ready = new CountDownLatch(lanes.size());
            CountDownLatch go = new CountDownLatch(1);
            List<Future<?>> running = new ArrayList<>();
            for (Lane lane : lanes) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    go.await();
                    lane.work(end[0], abandoned::get);
                    return null;
                }));
            }
            ready.await();
            long begin = awaitTime(start);
            end[0] = begin + slice.toNanos();
            go.countDown();
            await(running, slice);
        } finally {
            abandoned.set(true);
            threads.shutdownNow();
        }
        return lanes.stream().map(Lane::log).toList();
    }

    private static long awaitTime(long start) {
        long now = System.nanoTime();
        while (now - start < 0) {
            LockSupport.parkNanos(start - now);
            now = System.nanoTime();
        }
        return now;
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
}
