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
import java.util.stream.Stream;

/**
 * Takes many locks and keeps them. Some locks belong to threads, so each is released by the thread that took it. There are a few threads,
 * because a server that writes to its disk before it answers would take minutes for 10⁵ locks one after the other.
 */
final class LockHolder {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int THREADS = 16;

    private final List<HolderThread> threads =
            Stream.generate(HolderThread::new).limit(THREADS).toList();

    void hold(LockUser user, Workload workload) throws ExecutionException, InterruptedException {
        List<Future<?>> taking = new ArrayList<>();
        for (int first = 0; first < THREADS; first++) {
            taking.add(threads.get(first).hold(user, workload, first));
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

        /** Takes its share: each 16th lock. */
        Future<?> hold(LockUser user, Workload workload, int first) {
            return thread.submit(() -> {
                for (int lock = first; lock < workload.locks(); lock += THREADS) {
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
