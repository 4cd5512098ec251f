package io.hasp.evaluation.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The time of a comparison, and its division into slices.
 *
 * @param forks the number of starts of the client processes: a JVM's optimization of a lock's code differs from start
 *     to start
 * @param rounds the measured rounds of each fork; one more precedes them as warm-up
 * @param budget the longest time of all slices together
 * @param limit the longest time of the whole comparison, from the command to the last slice: if servers start slowly,
 *     there are fewer rounds
 * @param watch the time per round for which held locks, or broken servers, are watched: a watchdog is idle most of the
 *     time, so a slice lasts whole periods of it, and rounds are few
 * @param longestSlice the longest slice of weight one: few subjects end early instead of filling the budget
 */
public record Schedule(int forks, int rounds, Duration budget, Duration limit, Duration watch, Duration longestSlice) {
    /** About the time of a trial that ends by itself. */
    private static final Duration TRIAL = Duration.ofSeconds(8);

    /** A trial takes longer than its slice: processes start, many locks are taken and given back. */
    private static final int WITH_REST = 3;

    /** Two periods of a watchdog that renews leases of 30 seconds. */
    private static final Duration WATCH = Duration.ofSeconds(20);

    /** With one fork. */
    public Schedule(int rounds, Duration budget, Duration limit, Duration watch, Duration longestSlice) {
        this(1, rounds, budget, limit, watch, longestSlice);
    }

    /**
     * The usual schedule.
     *
     * @param tier how much is measured
     * @return under a minute, twelve minutes, an hour and a half, or three hours
     */
    public static Schedule of(ComparisonTier tier) {
        return switch (tier) {
            case QUICK ->
                new Schedule(1, 4, Duration.ofSeconds(28), Duration.ofSeconds(53), WATCH, Duration.ofMillis(500));
            // Less than the limit by what slices cost beyond their time on a slow machine.
            case USUAL ->
                new Schedule(3, 5, Duration.ofSeconds(505), Duration.ofSeconds(695), WATCH, Duration.ofSeconds(2));
            case CURVES ->
                new Schedule(2, 2, Duration.ofMinutes(30), Duration.ofMinutes(80), WATCH, Duration.ofSeconds(2));
            case FULL ->
                new Schedule(4, 3, Duration.ofMinutes(25), Duration.ofMinutes(170), WATCH, Duration.ofSeconds(2));
        };
    }

    /**
     * The same with more or fewer forks and rounds, of slices as long. Single rounds lie as far apart as before, but the more there
     * are, the better their median is known.
     *
     * @param wantedForks how often the client processes are started, at least once
     * @param wantedRounds how many rounds are measured in each, at least one
     * @return a schedule whose budget and limit are longer or shorter accordingly
     */
    public Schedule with(int wantedForks, int wantedRounds) {
        Duration rest = limit.minus(budget).multipliedBy(wantedForks).dividedBy(forks);
        Duration all =
                budget.multipliedBy((long) wantedForks * (wantedRounds + 1)).dividedBy((long) forks * (rounds + 1));
        return new Schedule(wantedForks, wantedRounds, all, all.plus(rest), watch, longestSlice);
    }

    /**
     * The same with time for trials that the user names. The limits of the tiers include no others.
     *
     * @param workloads the work
     * @param subjects the number of subjects of each workload
     * @return a schedule with a longer limit, if there are trials
     */
    public Schedule withTrials(List<Workload> workloads, ToIntFunction<Workload> subjects) {
        List<Workload> trials =
                workloads.stream().filter(each -> each.experiment().isTrial()).toList();
        // All rounds of a trial may belong to the first fork, which has only its share of the limit.
        Duration longer = expected(trials, subjects).multipliedBy((long) WITH_REST * forks);
        return new Schedule(forks, rounds, budget, limit.plus(longer), watch, longestSlice);
    }

    /**
     * Returns the number of rounds in all forks together.
     *
     * @return without warm-up rounds
     */
    public int allRounds() {
        return forks * rounds;
    }

    /**
     * Returns the expected time of a comparison.
     *
     * @param workloads the work
     * @param subjects the number of subjects of each workload
     * @return about the time of all slices together
     */
    public Duration expected(List<Workload> workloads, ToIntFunction<Workload> subjects) {
        return workloads.stream()
                .map(workload -> slice(workload, workloads, subjects)
                        .multipliedBy(slicesOf(workload) * subjects.applyAsInt(workload)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private long slicesOf(Workload workload) {
        int measured = workload.experiment().isTrial()
                ? Math.min(allRounds(), workload.experiment().trials())
                : allRounds() * workload.slices();
        return measured + (workload.experiment().isTrial() ? 0 : (long) forks * workload.warmUpSlices());
    }

    /**
     * Returns true if a round includes a workload.
     *
     * @param round from 1, of all forks together; 0 for a warm-up
     */
    boolean includes(Workload workload, int round) {
        Experiment experiment = workload.experiment();
        return !experiment.isTrial() || (round > 0 && round <= experiment.trials());
    }

    Duration slice(Workload workload, List<Workload> workloads, ToIntFunction<Workload> subjects) {
        if (workload.experiment().isTrial()) {
            return workload.experiment().endsByItself() ? TRIAL : watch;
        }
        long weights = workloads.stream()
                .filter(each -> !each.experiment().isTrial())
                .mapToLong(each -> each.weight() * slicesOf(each) * subjects.applyAsInt(each))
                .sum();
        Duration fair = budget.dividedBy(Math.max(1, weights));
        Duration unit = fair.compareTo(longestSlice) < 0 ? fair : longestSlice;
        return unit.multipliedBy(workload.weight());
    }
}
