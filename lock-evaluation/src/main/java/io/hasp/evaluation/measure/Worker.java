package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** One thread of a slice. It takes the lock, holds it and releases it, again and again until the slice is over. */
final class Worker {
    /** Long enough that only a lock that forgot its waiter reaches it. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final long HIGHEST = TimeUnit.MINUTES.toNanos(1);

    private final LockUser user;
    private final Workload workload;
    private final int thread;
    private final String lockName;
    private final Histogram times = new Histogram(HIGHEST, 3);
    private final HoldLog holds = new HoldLog();
    private long finished;
    private long lostHolds;

    Worker(LockUser user, Workload workload, int thread) {
        this.user = user;
        this.workload = workload;
        this.thread = thread;
        this.lockName = workload.lockName(thread);
    }

    void work(long end, BooleanSupplier abandoned) throws Exception {
        long cycle = 0;
        for (long begin = System.nanoTime(); begin - end < 0 && !abandoned.getAsBoolean(); begin = System.nanoTime()) {
            LockMode mode = workload.experiment().mode(thread, cycle++);
            Hold hold = user.tryAcquire(lockName, mode, LONGEST_WAIT)
                    .orElseThrow(() -> new IllegalStateException(
                            "a thread waited " + LONGEST_WAIT.toSeconds() + " s without getting the lock"));
            long acquired = System.nanoTime();
            keep(workload.hold());
            holds.add(acquired, System.nanoTime(), hold.token(), mode);
            if (!hold.release()) {
                lostHolds++;
            }
            long done = workload.experiment().oneName() ? acquired : System.nanoTime();
            times.recordValue(Math.min(done - begin, HIGHEST));
            if (done - end <= 0) {
                finished++;
            }
        }
    }

    /** Parks instead of spinning: on few cores a busy holder would be measured, not the lock. */
    private static void keep(Duration hold) {
        long begin = System.nanoTime();
        for (long left = hold.toNanos(); left > 0; left = hold.toNanos() - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(left);
        }
    }

    /** What it did, once it has ended. */
    WorkerLog log() {
        return new WorkerLog(lockName, finished, lostHolds, times, holds);
    }
}
