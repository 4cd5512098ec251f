package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Takes many locks and keeps them. Some locks belong to threads, so each is given back by the thread that took it. */
final class Keeper {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<List<Hold>> holds = new ArrayList<>();

    void hold(LockUser user, Workload workload) throws ExecutionException, InterruptedException {
        List<Callable<Integer>> shares = new ArrayList<>();
        for (int thread = 0; thread < workload.threads(); thread++) {
            threads.add(Executors.newSingleThreadExecutor());
            List<Hold> mine = new ArrayList<>();
            holds.add(mine);
            int first = thread;
            shares.add(() -> {
                for (int lock = first; lock < workload.locks(); lock += workload.threads()) {
                    mine.add(user.tryAcquire(workload.lockName(lock), PATIENCE)
                            .orElseThrow(() -> new IllegalStateException("a free lock was refused")));
                }
                return mine.size();
            });
        }
        eachOnItsThread(shares);
    }

    /**
     * Gives all back.
     *
     * @throws ExecutionException also if one was no longer held
     */
    void drop() throws ExecutionException, InterruptedException {
        List<Callable<Integer>> shares = new ArrayList<>();
        for (List<Hold> mine : holds) {
            shares.add(() -> {
                for (Hold hold : mine) {
                    if (!hold.release()) {
                        throw new IllegalStateException("a lock was lost while it was held");
                    }
                }
                return mine.size();
            });
        }
        try {
            eachOnItsThread(shares);
        } finally {
            threads.forEach(ExecutorService::shutdownNow);
            threads.clear();
            holds.clear();
        }
    }

    private void eachOnItsThread(List<Callable<Integer>> shares) throws ExecutionException, InterruptedException {
        List<Future<Integer>> running = new ArrayList<>();
        for (int share = 0; share < shares.size(); share++) {
            running.add(threads.get(share).submit(shares.get(share)));
        }
        for (Future<Integer> one : running) {
            one.get();
        }
    }
}
