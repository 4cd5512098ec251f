package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Takes many locks and keeps them. Some locks belong to threads, so each is released by the thread that took it.
 * Several threads may share the work: a server that writes to its disk before it answers would need many minutes for
 * 10⁵ locks one after the other.
 */
final class LockHolder {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<HolderThread> threads = new ArrayList<>();

    void hold(LockUser user, Workload workload, int by) throws ExecutionException, InterruptedException {
        while (threads.size() < by) {
            threads.add(new HolderThread());
        }
        List<Future<?>> taking = new ArrayList<>();
        for (int first = 0; first < by; first++) {
            taking.add(threads.get(first).hold(user, workload, first, by));
        }
        await(taking);
    }

    /**
     * Releases all.
     *
     * @throws ExecutionException also if one was no longer held
     */
    void drop() throws ExecutionException, InterruptedException {
        await(threads.stream().<Future<?>>map(HolderThread::drop).toList());
    }

    private static void await(List<Future<?>> all) throws ExecutionException, InterruptedException {
        for (Future<?> one : all) {
            one.get();
        }
    }

    private static final class HolderThread {
        private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread holder = new Thread(work, "holder");
            holder.setDaemon(true);
            return holder;
        });
        private final List<Hold> holds = new ArrayList<>();

        /** Takes its share. */
        Future<?> hold(LockUser user, Workload workload, int first, int step) {
            return thread.submit(() -> {
                for (int lock = first; lock < workload.locks(); lock += step) {
                    holds.add(user.tryAcquire(workload.lockName(lock), PATIENCE)
                            .orElseThrow(() -> new IllegalStateException("a free lock was refused")));
                }
                return holds.size();
            });
        }

        Future<?> drop() {
            return thread.submit(() -> {
                try {
                    for (Hold hold : holds) {
                        if (!hold.release()) {
                            throw new IllegalStateException("a lock was lost while it was held");
                        }
                    }
                    return holds.size();
                } finally {
                    holds.clear();
                }
            });
        }
    }
}
