package io.hasp.evaluation.measure;

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
final class WorkerGroup {
    private final List<Worker> workers;
    private final AtomicBoolean abandoned = new AtomicBoolean();

    /**
     * The finished work of the threads.
     *
     * @param logs one per thread
     * @param costs one per thread
     */
    record Done(List<WorkerLog> logs, List<ProcessCost.OfThread> costs) {}

    private WorkerGroup(List<Worker> workers) {
        this.workers = List.copyOf(workers);
    }

    /**
     * Works for one slice.
     *
     * @param workers what each thread does
     * @param start when the slice begins on {@link System#nanoTime}, at the earliest: groups of several processes begin
     *     together
     * @throws ExecutionException if the lock threw or a thread did not return in time
     */
    static Done work(List<Worker> workers, long start, Duration slice) throws ExecutionException, InterruptedException {
        return new WorkerGroup(workers).work(start, slice);
    }

    private Done work(long start, Duration slice) throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        List<ProcessCost.OfThread> costs = new ArrayList<>();
        try {
            long[] end = new long[1];
            CountDownLatch ready = new CountDownLatch(workers.size());
            CountDownLatch go = new CountDownLatch(1);
            List<Future<ProcessCost.OfThread>> running = new ArrayList<>();
            for (Worker worker : workers) {
                running.add(threads.submit(() -> {
                    prepare(worker, ready);
                    go.await();
                    worker.work(end[0], abandoned::get);
                    return ProcessCost.OfThread.current();
                }));
            }
            ready.await();
            long begin = awaitTime(start);
            end[0] = begin + slice.toNanos();
            go.countDown();
            costs.addAll(await(running, slice));
        } finally {
            abandoned.set(true);
            threads.shutdownNow();
        }
        return new Done(workers.stream().map(Worker::log).toList(), costs);
    }

    private static void prepare(Worker worker, CountDownLatch ready) throws Exception {
        try {
            worker.prepare();
        } finally {
            ready.countDown();
        }
    }

    private static long awaitTime(long start) {
        long now = System.nanoTime();
        while (now - start < 0) {
            LockSupport.parkNanos(start - now);
            now = System.nanoTime();
        }
        return now;
    }

    private static List<ProcessCost.OfThread> await(List<Future<ProcessCost.OfThread>> running, Duration slice)
            throws ExecutionException, InterruptedException {
        Duration patience = slice.plus(LockCycles.LONGEST_WAIT.multipliedBy(2));
        long deadline = System.nanoTime() + patience.toNanos();
        List<ProcessCost.OfThread> costs = new ArrayList<>();
        for (Future<ProcessCost.OfThread> worker : running) {
            try {
                costs.add(worker.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                throw new ExecutionException(
                        new IllegalStateException("a thread did not return within " + patience.toSeconds() + " s"));
            }
        }
        return costs;
    }
}
