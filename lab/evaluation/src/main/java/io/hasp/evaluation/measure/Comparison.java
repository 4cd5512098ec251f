package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures all subjects at all workloads, in rounds. Within a round all subjects do a workload one right after the
 * other. The order changes each time, so that each subject follows each other one equally often ({@link TurnOrder}). A
 * disturbance of the machine therefore slows all subjects, and the remains of one subject (garbage, code to compile,
 * data to write) do not always burden the same successor.
 *
 * <p>Each fork has client processes of its own. Its first round warms up the virtual machine, the connections and the
 * servers, and is discarded. That round has several passes over all work, in the order of later rounds: the JVM
 * discards code compiled for one lock when the next lock uses the same libraries differently.
 */
public final class Comparison {
    private static final int LONGER = 4;

    /**
     * Ctrl-C in a terminal also ends servers and clients. Their failure may be visible before the interrupt, and must
     * not be reported.
     */
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final List<ConnectedSubject> subjects;
    private final List<Workload> workloads;
    private final Schedule schedule;
    private final Progress progress;
    private final LongSupplier clock;

    private final Rounds figures = new Rounds();
    private final Map<String, Safety> safety = new LinkedHashMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private final Forks forks;
    private final TurnOrder order;
    private final TurnOrder warmUpOrder;
    private Duration done = Duration.ZERO;
    private long longestWarmUp;
    private long longestRound;

    /** Starts client processes anew. */
    @FunctionalInterface
    public interface Forks {
        /**
         * Ends the processes of the fork before and starts others.
         *
         * @throws InterruptedException if the thread was interrupted
         */
        void renew() throws InterruptedException;
    }

    /**
     * Prepares a comparison.
     *
     * @param subjects the locks that take part
     * @param workloads the work
     * @param schedule the time that it takes
     * @param progress notified of each step
     * @param forks begins each fork but the first
     * @param seed of the order of the subjects
     */
    public Comparison(
            List<ConnectedSubject> subjects,
            List<Workload> workloads,
            Schedule schedule,
            Progress progress,
            Forks forks,
            long seed) {
        this(subjects, workloads, schedule, progress, forks, seed, System::nanoTime);
    }

    /** Reads the remaining time from a clock, in nanoseconds. */
    Comparison(
            List<ConnectedSubject> subjects,
            List<Workload> workloads,
            Schedule schedule,
            Progress progress,
            Forks forks,
            long seed,
            LongSupplier clock) {
        this.clock = clock;
        this.forks = forks;
        this.order = new TurnOrder(seed);
        this.warmUpOrder = new TurnOrder(~seed);
        this.subjects = List.copyOf(subjects);
        this.workloads = List.copyOf(workloads);
        this.schedule = schedule;
        this.progress = progress;
    }

    /**
     * Measures. Each fork has the same share of the time. A round that would probably end too late is left out, so that
     * a slow machine gets fewer rounds in each fork, not a longer wait; at least one is measured. After an interrupt it
     * returns the results so far. Call it once.
     *
     * @param pairings which subjects to compare with which
     * @param allowed how long it may take
     * @return what was found
     */
    public Results run(List<Pairing> pairings, Duration allowed) {
        boolean interrupted = false;
        try {
            runRounds(allowed);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        List<String> names = subjects.stream().map(ConnectedSubject::subject).toList();
        return new Results(
                workloads, names, figures.measurements(), figures.ratios(pairings), safety, failures, interrupted);
    }

    private void runRounds(Duration allowed) throws InterruptedException {
        long begin = clock.getAsLong();
        long end = begin + allowed.toNanos();
        for (int fork = 0; fork < schedule.forks(); fork++) {
            // After a warm-up at least one round follows.
            if (fork > 0 && clock.getAsLong() + longestWarmUp + longestRound - end > 0) {
                return;
            }
            if (fork > 0 && !renewed()) {
                return;
            }
            long share = allowed.toNanos() / schedule.forks() * (fork + 1);
            runFork(fork, begin + share);
        }
    }

    /** If clients can't be started anew, each lock has failed, and what was measured before is kept. */
    private boolean renewed() throws InterruptedException {
        try {
            forks.renew();
            return true;
        } catch (RuntimeException e) {
            TimeUnit.NANOSECONDS.sleep(MOMENT.toNanos());
            for (ConnectedSubject subject : subjects) {
                workloads.stream()
                        .filter(subject::takesPart)
                        .findFirst()
                        .ifPresent(work -> failures.add(Failure.of(work, subject.subject(), e)));
            }
            return false;
        }
    }

    private void runFork(int fork, long deadline) throws InterruptedException {
        long begin = clock.getAsLong();
        warmUp(fork);
        longestWarmUp = Math.max(longestWarmUp, clock.getAsLong() - begin);
        for (int round = 1; round <= schedule.rounds(); round++) {
            begin = clock.getAsLong();
            if (round > 1 && begin + longestRound - deadline > 0) {
                return;
            }
            measure(fork, fork * schedule.rounds() + round);
            longestRound = Math.max(longestRound, clock.getAsLong() - begin);
        }
    }

    private void measure(int fork, int round) throws InterruptedException {
        for (Workload workload : workloads) {
            if (schedule.includes(workload, round)) {
                for (int slice = 0; slice < workload.slices(); slice++) {
                    pass(fork, round, workload, workload, slice(workload));
                }
            }
        }
    }

    private void warmUp(int fork) throws InterruptedException {
        for (int pass = 0; pass < Workload.WARM_UP_PASSES; pass++) {
            for (Workload workload : workloads) {
                int passes = workload.warmUpPasses();
                if (schedule.includes(workload, 0) && pass < passes) {
                    Duration all = slice(workload).multipliedBy(workload.warmUpSlices());
                    pass(fork, 0, workload, workload.warmUp(pass), all.dividedBy(passes));
                }
            }
        }
    }

    private Duration slice(Workload workload) {
        return schedule.slice(workload, workloads, ConnectedSubject.participants(subjects));
    }

    private void pass(int fork, int round, Workload workload, Workload work, Duration slice)
            throws InterruptedException {
        long total = schedule.expected(workloads, ConnectedSubject.participants(subjects))
                .toMillis();
        TurnOrder turns = round == 0 ? warmUpOrder : order;
        for (ConnectedSubject subject : turns.next(workload, subjects)) {
            progress.slice(round, schedule.allRounds(), done.toMillis(), total, subject.subject(), workload);
            if (!hasFailed(subject, workload)) {
                measure(fork, round, subject, workload, work, slice);
            }
            done = done.plus(slice);
        }
    }

    private void measure(
            int fork, int round, ConnectedSubject subject, Workload workload, Workload work, Duration slice)
            throws InterruptedException {
        try {
            SliceResult result = work(subject, work, slice);
            safety.merge(subject.subject(), result.safety(), Safety::plus);
            if (round > 0) {
                figures.add(workload, subject.subject(), result, fork);
            }
        } catch (ExecutionException e) {
            TimeUnit.NANOSECONDS.sleep(MOMENT.toNanos());
            Throwable why = e.getCause() == null ? e : e.getCause();
            failures.add(Failure.of(workload, subject.subject(), why));
        }
    }

    /** A slice in which nothing was finished is repeated with a longer one, until even a slow lock has a figure. */
    private static SliceResult work(ConnectedSubject subject, Workload workload, Duration slice)
            throws ExecutionException, InterruptedException {
        SliceResult result = subject.work(workload, slice);
        if (result.finished() > 0) {
            return result;
        }
        if (slice.compareTo(LockCycles.LONGEST_WAIT) > 0) {
            throw new ExecutionException(
                    new IllegalStateException("nothing was finished in " + slice.toMillis() + " ms"));
        }
        return work(subject, workload, slice.multipliedBy(LONGER));
    }

    private boolean hasFailed(ConnectedSubject subject, Workload workload) {
        return failures.stream()
                .anyMatch(failure -> failure.subject().equals(subject.subject()) && failure.isOf(workload));
    }
}
