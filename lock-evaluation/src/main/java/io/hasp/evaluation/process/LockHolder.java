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

/** Takes many locks and keeps them. Some locks belong to threads, so one thread takes and releases them all. */
final class LockHolder {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread holder = new Thread(work, "holder");
        holder.setDaemon(true);
        return holder;
    });
    private final List<Hold> holds = new ArrayList<>();

    void hold(LockUser user, Workload workload) throws ExecutionException, InterruptedException {
        onItsThread(() -> {
            for (int lock = 0; lock < workload.locks(); lock++) {
                holds.add(user.tryAcquire(workload.lockName(lock), PATIENCE)
                        .orElseThrow(() -> new IllegalStateException("a free lock was refused")));
            }
            return holds.size();
        });
    }

    /**
     * Releases all.
     *
     * @throws ExecutionException also if one was no longer held
     */
    void drop() throws ExecutionException, InterruptedException {
        try {
            onItsThread(() -> {
                for (Hold hold : holds) {
                    if (!hold.release()) {
                        throw new IllegalStateException("a lock was lost while it was held");
                    }
                }
                return holds.size();
            });
        } finally {
            holds.clear();
        }
    }

    private void onItsThread(Callable<Integer> work) throws ExecutionException, InterruptedException {
        int ignored = thread.submit(work).get();
    }
}
