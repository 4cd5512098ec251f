package io.hasp.evaluation.measure;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** The cycles of one thread: it takes a lock, holds it and releases it. Each is noted. Not thread-safe. */
final class LockCycles {
    /** Long enough that only a lock that forgot its waiter reaches it. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** The upper limit of histograms of times. */
    static final long HIGHEST = TimeUnit.MINUTES.toNanos(1);

    static final int DIGITS = 3;

    /** The histograms of more threads would fill the memory with three digits. */
    private static final int FEW_THREADS = 100;

    /** The size of the subsets of several threads. */
    private static final int SUBSET = 4;

    /** The number of never used names that each client has used in this process. */
    private static final Map<LockUser, AtomicLong> USED = Collections.synchronizedMap(new WeakHashMap<>());

    private final LockUser user;
    private final Workload workload;
    private final int thread;
    private final List<String> names;
    private final AtomicLong used;
    private final Random random;
    private final Histogram times;
    private final HoldLog holds = new HoldLog();
    private long cycles;
    private long turn;
    private long finished;
    private long lostHolds;

    LockCycles(LockUser user, Workload workload, int thread) {
        this.user = user;
        this.workload = workload;
        this.thread = thread;
        this.names = new ArrayList<>(workload.lockNames(thread));
        this.used = USED.computeIfAbsent(user, any -> new AtomicLong());
        this.random = new Random(thread);
        this.times = new Histogram(HIGHEST, workload.threads() > FEW_THREADS ? 2 : DIGITS);
    }

    /** Returns the number of locks. */
    int locks() {
        return names.size();
    }

    /** Takes each lock once, if the work is about locks that were taken before, or about what earlier ones leave behind. */
    void takeEachFirst() throws Exception {
        if (workload.experiment().picks() == Experiment.Picks.NEVER_TWICE) {
            while (workload.axis() == Axis.FRESH && used.get() < workload.at()) {
                use(next());
            }
            return;
        }
        int each = workload.experiment().takesEachFirst() ? names.size() : 0;
        for (int lock = 0; lock < each; lock++) {
            use(lock);
        }
    }

    /** Chooses the next lock. */
    int next() {
        return switch (workload.experiment().picks()) {
            case IN_TURN -> (int) (turn++ % names.size());
            case AT_RANDOM -> random.nextInt(names.size());
            case TOGETHER -> 0;
            case NEVER_TWICE -> {
                // Other processes, and those of an earlier fork, have other numbers.
                names.add(workload.lockName(thread) + "-"
                        + ProcessHandle.current().pid() + "-" + used.incrementAndGet());
                yield names.size() - 1;
            }
        };
    }

    /** A request that was not begun, as old as this. */
    void missed(long age) {
        times.recordValue(Math.min(age, HIGHEST));
    }

    /**
     * One cycle.
     *
     * @param lock which of the locks, from 0
     * @param begin when it began
     * @param end when the slice ends: what ends later is not finished
     */
    void cycle(int lock, long begin, long end) throws Exception {
        long acquired = use(lock);
        long done = workload.experiment().timesWaits() ? acquired : System.nanoTime();
        times.recordValue(Math.min(done - begin, HIGHEST));
        if (done - end <= 0) {
            finished++;
        }
    }

    /** A cycle that is watched, but not timed nor counted; returns when the lock was acquired. */
    long use(int lock) throws Exception {
        if (workload.experiment().picks() == Experiment.Picks.TOGETHER) {
            return useTogether();
        }
        LockMode mode = workload.experiment().mode(thread, cycles++);
        Hold hold = user.tryAcquire(names.get(lock), mode, LONGEST_WAIT).orElseThrow(LockCycles::waitedInVain);
        long acquired = System.nanoTime();
        keep(workload.hold());
        holds.add(lock, acquired, System.nanoTime(), hold.token(), mode);
        if (!hold.release()) {
            lostHolds++;
        }
        return acquired;
    }

    private static IllegalStateException waitedInVain() {
        return new IllegalStateException("a thread waited " + LONGEST_WAIT.toSeconds() + " s without getting the lock");
    }

    private long useTogether() throws Exception {
        List<Integer> locks = subset();
        Hold hold = user.tryAcquireAll(locks.stream().map(names::get).toList(), LONGEST_WAIT)
                .orElseThrow(LockCycles::waitedInVain);
        long acquired = System.nanoTime();
        keep(workload.hold());
        long released = System.nanoTime();
        locks.forEach(lock -> holds.add(lock, acquired, released, OptionalLong.empty(), LockMode.EXCLUSIVE));
        if (!hold.release()) {
            lostHolds++;
        }
        return acquired;
    }

    private List<Integer> subset() {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
        if (workload.threads() == 1) {
            return all;
        }
        Collections.shuffle(all, random);
        return all.subList(0, SUBSET);
    }

    /** Parks instead of spinning: on few cores a busy holder would be measured, not the lock. */
    private static void keep(Duration hold) {
        if (hold.isZero()) {
            return;
        }
        long begin = System.nanoTime();
        for (long left = hold.toNanos(); left > 0; left = hold.toNanos() - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(left);
        }
    }

    WorkerLog log() {
        return new WorkerLog(List.copyOf(names), finished, lostHolds, times, holds);
    }
}
