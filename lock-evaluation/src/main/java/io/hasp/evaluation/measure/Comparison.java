package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures all subjects at all workloads, in rounds. Within a round all subjects do a workload one right after the
 * other, each time in another random order. So what slows the machine down for a while slows all subjects, and none
 * always follows the same one: what a subject leaves behind for a moment (garbage, code to compile, data to write)
 * would burden its successor. The first round warms up the virtual machine, the connections and the servers, and is
 * discarded.
 */
public final class Comparison {
    private static final int LONGER = 4;

    /**
     * Ctrl-C in a terminal also ends servers and clients. Their failure may be seen before the interrupt, and must not
     * be reported.
     */
    private static final Duration MOMENT = Duration.ofMillis(200);

    private final List<ConnectedSubject> subjects;
    private final List<Workload> workloads;
    private final Schedule schedule;
    private final Progress progress;

    private final Rounds figures = new Rounds();
    private final Map<String, Safety> safety = new LinkedHashMap<>();
    private final List<Failure> failures = new ArrayList<>();
    private final Random order = new Random(1);
    private Duration done = Duration.ZERO;

    /**
     * Prepares a comparison.
     *
     * @param subjects the locks that take part
     * @param workloads the work
     * @param schedule how long it takes
     * @param progress is told how far it has come
     */
    public Comparison(List<ConnectedSubject> subjects, List<Workload> workloads, Schedule schedule, Progress progress) {
        this.subjects = List.copyOf(subjects);
        this.workloads = List.copyOf(workloads);
        this.schedule = schedule;
        this.progress = progress;
    }

    /**
     * Measures. A round that would probably end too late is left out, so that a slow machine gets fewer rounds, not a
     * longer wait; at least one is measured. After an interrupt it returns what was found until then. To be called
     * once.
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
        long begin = System.nanoTime();
        long longestRound = 0;
        for (int round = 0; round <= schedule.rounds(); round++) {
            long roundBegin = System.nanoTime();
            if (round > 1 && roundBegin + longestRound - begin > allowed.toNanos()) {
                break;
            }
            run(round);
            if (round > 0) {
                longestRound = Math.max(longestRound, System.nanoTime() - roundBegin);
            }
        }
    }

    private void run(int round) throws InterruptedException {
        for (Workload workload : workloads) {
            if (schedule.includes(workload, round)) {
                List<Workload> passes = round == 0 ? workload.warmUp() : List.of(workload);
                Duration slice = schedule.slice(workload, workloads, subjects.size())
                        .multipliedBy(Schedule.slicesOf(workload, round))
                        .dividedBy(passes.size());
                for (Workload work : passes) {
                    pass(round, workload, work, slice);
                }
            }
        }
    }

    private void pass(int round, Workload workload, Workload work, Duration slice) throws InterruptedException {
        long total = schedule.expected(workloads, subjects.size()).toMillis();
        List<ConnectedSubject> turns = new ArrayList<>(subjects);
        Collections.shuffle(turns, order);
        for (ConnectedSubject subject : turns) {
            progress.slice(round, schedule.rounds(), done.toMillis(), total, subject.subject(), workload);
            if (subject.takesPart(workload) && !hasFailed(subject, workload)) {
                measure(round, subject, workload, work, slice);
            }
            done = done.plus(slice);
        }
    }

    private void measure(int round, ConnectedSubject subject, Workload workload, Workload work, Duration slice)
            throws InterruptedException {
        try {
            SliceResult result = work(subject, work, slice);
            safety.merge(subject.subject(), result.safety(), Safety::plus);
            if (round > 0) {
                figures.add(workload, subject.subject(), result);
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
