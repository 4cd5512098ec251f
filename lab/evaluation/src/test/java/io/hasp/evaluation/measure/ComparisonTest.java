package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.evaluation.statistics.Pairing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class ComparisonTest {
    /** A busy machine leaves out no round. */
    private static final Duration AMPLE = Duration.ofMinutes(30);

    private static final List<Workload> ALL = Experiments.ALL.stream()
            .filter(experiment -> experiment.belongsTo(ComparisonTier.QUICK))
            .flatMap(experiment -> experiment.workloads(ComparisonTier.QUICK).stream())
            .toList();
    private static final Schedule SCHEDULE = schedule(2, Duration.ofSeconds(30), Duration.ofMillis(40));

    @Test
    void every_subject_gets_every_figure_of_every_workload() throws Exception {
        Results results = compare(ALL, subject("a", new LocalLock()), subject("b", new LocalLock()));

        for (Workload workload : ALL) {
            for (Metric metric : workload.experiment().metrics()) {
                if (metric.fewestObservations() == 0 && !ofServers(metric)) {
                    assertThat(results.measurement(workload, "a", metric))
                            .as(workload + " " + metric)
                            .hasValueSatisfying(each -> assertThat(each.n()).isEqualTo(2 * workload.slices()));
                    assertThat(results.ratio(workload, new Pairing("a", "b"), metric)
                                    .isPresent())
                            .as(workload + " " + metric)
                            .isEqualTo(metric.hasRatio());
                }
            }
        }
        assertThat(results.measurements()).allSatisfy(each -> {
            assertThat(each.median()).isPositive();
            assertThat(each.low()).isLessThanOrEqualTo(each.median());
            assertThat(each.high()).isGreaterThanOrEqualTo(each.median());
        });
        assertThat(results.clean(Set.of())).isTrue();
    }

    private static boolean ofServers(Metric metric) {
        return List.of(Metric.COMMANDS_PER_ACQUISITION, Metric.BYTES_PER_ACQUISITION, Metric.SERVER_CPU_PER_ACQUISITION)
                .contains(metric);
    }

    @Test
    void a_hold_time_bounds_how_often_a_contended_lock_is_taken() throws Exception {
        Workload holding = Experiments.CONTENDED.workloads(ComparisonTier.QUICK).get(1);

        Schedule manyTurns = schedule(2, Duration.ofSeconds(5), Duration.ofMillis(500));

        Results results = compare(manyTurns, List.of(holding), subject("a", new LocalLock()));

        assertThat(results.measurement(holding, "a", Metric.ACQUISITIONS_PER_S))
                .hasValueSatisfying(rate -> assertThat(rate.high()).isLessThanOrEqualTo(1000));
        assertThat(results.measurement(holding, "a", Metric.JAIN))
                .as("of a fair lock")
                .hasValueSatisfying(jain -> assertThat(jain.median()).isGreaterThan(0.5));
    }

    @Test
    void a_name_that_is_taken_again_and_again_was_taken_once_before_what_is_timed() throws Exception {
        Workload sticky =
                Experiments.of("sticky").workloads(ComparisonTier.FULL).get(0);
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicLong takes = new AtomicLong();
        AtomicLong lastNew = new AtomicLong();
        LocalLock lock = new LocalLock();
        LockUser noting = new LockUser() {
            @Override
            public Optional<Hold> tryAcquire(String name, Duration wait) throws InterruptedException {
                long take = takes.incrementAndGet();
                if (seen.add(name)) {
                    lastNew.set(take);
                }
                return lock.tryAcquire(name, wait);
            }

            @Override
            public void close() {}
        };

        SliceResult result = subject("a", noting).work(sticky, Duration.ofMillis(100));

        assertThat(seen).hasSize(100).contains("sticky-0-0", "sticky-0-99");
        assertThat(lastNew).as("the take of the last new name").hasValue(100);
        assertThat(result.times().getTotalCount()).as("timed").isPositive();
        assertThat(result.safety().holds()).isEqualTo(result.times().getTotalCount() + 100);
    }

    @Test
    void overlapping_holds_are_seen() throws Exception {
        Results results = compare(
                Experiments.CONTENDED.workloads(ComparisonTier.QUICK),
                subject("open", new LocalLock().lettingEverybodyIn()));

        assertThat(results.safetyOf("open").overlaps()).isPositive();
        assertThat(results.clean(Set.of())).isFalse();
    }

    @Test
    void a_fencing_token_that_does_not_grow_is_seen() throws Exception {
        Results results = compare(
                Experiments.CONTENDED.workloads(ComparisonTier.QUICK),
                subject("stuck", new LocalLock().withToken(counter -> counter / 2)));

        assertThat(results.safetyOf("stuck").staleTokens()).isPositive();
        assertThat(results.safetyOf("stuck").overlaps()).isZero();
        assertThat(results.clean(Set.of())).isFalse();
    }

    @Test
    void a_hold_that_was_lost_is_seen() throws Exception {
        Results results = compare(
                Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK),
                subject("leaky", new LocalLock().losingEveryHold()));

        assertThat(results.safetyOf("leaky").lostHolds()).isPositive();
        assertThat(results.clean(Set.of())).isFalse();
    }

    @Test
    void a_subject_that_throws_is_named_and_the_others_are_measured() throws Exception {
        Results results = compare(ALL, subject("down", new Down()), subject("up", new LocalLock()));

        assertThat(results.failures()).hasSize(ALL.size()).allSatisfy(failure -> {
            assertThat(failure.subject()).isEqualTo("down");
            assertThat(failure.why()).contains("connection refused");
        });
        assertThat(results.measurements())
                .isNotEmpty()
                .allMatch(each -> each.subject().equals("up"));
        assertThat(results.clean(Set.of())).isFalse();
    }

    /** Results are published, and other libraries may repeat what they connect to. */
    @Test
    void a_password_in_the_message_of_a_lock_is_in_no_failure() {
        Failure failure = Failure.of(
                ALL.get(0), "a", new IllegalStateException("can't connect to redis://user:se@cret@host:6379/0"));

        assertThat(failure.why()).isEqualTo("can't connect to redis://…@host:6379/0");
    }

    @Test
    void a_lock_slower_than_a_slice_gets_a_longer_one_instead_of_no_figure() throws Exception {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);

        Results results = compare(List.of(alone), subject("slow", new LocalLock().taking(Duration.ofMillis(100))));

        assertThat(results.failures()).isEmpty();
        assertThat(results.measurement(alone, "slow", Metric.CYCLE_P50))
                .hasValueSatisfying(cycle -> assertThat(cycle.median()).isBetween(100_000.0, 10_000_000.0));
    }

    @Test
    void every_subject_comes_after_every_other_equally_often_and_in_another_order_with_another_seed() {
        assertThat(order(7)).isEqualTo(order(7)).isNotEqualTo(order(8));
        Map<String, Long> followed = order(7).stream()
                .skip(4) // the warm-up
                .limit(4)
                .flatMap(pass -> Stream.of(0, 1, 2).map(turn -> pass.substring(turn, turn + 2)))
                .collect(Collectors.groupingBy(pair -> pair, Collectors.counting()));
        assertThat(followed).hasSize(12).containsValue(1L).doesNotContainValue(2L);
    }

    /** One text for each pass. */
    private static List<String> order(long seed) {
        Workload alone = new Workload(Experiments.DISTINCT, 1, 2, 2, Duration.ZERO);
        StringBuilder order = new StringBuilder();
        List<ConnectedSubject> four = Stream.of("a", "b", "c", "d")
                .map(name -> subject(name, new LocalLock()))
                .toList();
        Progress recording = (round, rounds, done, total, subject, workload) -> order.append(subject);
        Schedule schedule = schedule(8, Duration.ofMillis(200), Duration.ofMillis(1));
        new Comparison(four, List.of(alone), schedule, recording, () -> {}, seed).run(List.of(), schedule.limit());
        return List.of(order.toString().split("(?<=\\G.{4})"));
    }

    @Test
    void clients_that_can_not_be_started_anew_end_the_comparison_and_keep_what_was_measured() throws Exception {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        Schedule twoForks = new Schedule(
                2, 2, Duration.ofMillis(400), Duration.ofSeconds(20), Duration.ofMillis(50), Duration.ofMillis(50));

        Results results = new Comparison(
                        List.of(subject("a", new LocalLock())),
                        List.of(alone),
                        twoForks,
                        (round, rounds, done, total, subject, workload) -> {},
                        () -> {
                            throw new IllegalStateException("a client process can't start: no memory");
                        },
                        1)
                .run(List.of(), Duration.ofSeconds(20));

        assertThat(results.measurement(alone, "a", Metric.CYCLE_P50))
                .hasValueSatisfying(
                        each -> assertThat(each.forks()).isNotEmpty().containsOnly(0));
        assertThat(results.failures())
                .extracting(Failure::why)
                .containsExactly("a client process can't start: no memory");
        assertThat(results.clean(Set.of())).isFalse();
    }

    @Test
    void each_fork_begins_with_new_processes_and_a_warm_up_and_each_round_knows_its_fork() {
        Workload alone = new Workload(Experiments.DISTINCT, 1, 2, 2, Duration.ZERO);
        List<String> seen = new ArrayList<>();
        Progress recording = (round, rounds, done, total, subject, workload) -> seen.add(round + "/" + rounds);
        Schedule schedule =
                new Schedule(3, 2, Duration.ofMillis(200), AMPLE, Duration.ofSeconds(9), Duration.ofMillis(5));

        Results results = new Comparison(
                        List.of(subject("a", new LocalLock())),
                        List.of(alone),
                        schedule,
                        recording,
                        () -> seen.add("renewed"),
                        1)
                .run(List.of(), schedule.limit());

        assertThat(seen)
                .containsExactly(Stream.of("1/6 2/6", "renewed 3/6 4/6", "renewed 5/6 6/6")
                        .flatMap(fork -> Stream.of(
                                fork.replaceFirst("(?=\\d)", "0/6 0/6 0/6 0/6 ").split(" ")))
                        .toArray(String[]::new));
        assertThat(results.measurement(alone, "a", Metric.CYCLES_PER_S))
                .hasValueSatisfying(each -> assertThat(each.forks()).containsExactly(0, 0, 1, 1, 2, 2));
    }

    @Test
    void a_lock_that_can_not_be_held_as_the_work_asks_has_no_figure_and_no_failure() throws Exception {
        Workload readMostly =
                Experiments.READ_MOSTLY.workloads(ComparisonTier.QUICK).get(0);
        Progress silent = (round, rounds, done, total, subject, workload) -> {};
        Schedule schedule = schedule(1, Duration.ofMillis(200), Duration.ofMillis(5));

        Results results = new Comparison(
                        List.of(subject("a", new LocalLock())), List.of(readMostly), schedule, silent, () -> {}, 1)
                .run(List.of(), schedule.limit());

        assertThat(results.measurements()).isEmpty();
        assertThat(results.failures()).isEmpty();
    }

    @Test
    void the_warm_up_ends_with_the_work_that_is_measured() throws Exception {
        Workload handoff = Experiments.HANDOFF.workloads(ComparisonTier.QUICK).get(0);

        assertThat(worked(handoff))
                .hasSize(4 + 4)
                .startsWith(handoff.warmUp(0))
                .endsWith(handoff, handoff, handoff, handoff);
    }

    @Test
    void a_point_of_a_curve_warms_up_in_one_pass() throws Exception {
        for (String curve : List.of("holds", "names")) {
            Workload point =
                    Experiments.of(curve).workloads(ComparisonTier.FULL).get(0);

            assertThat(worked(point)).as("its warm-up and its round").containsExactly(point, point);
        }
    }

    /** The work of a lock in one round and its warm-up. */
    private static List<Workload> worked(Workload workload) throws Exception {
        List<Workload> worked = new ArrayList<>();
        ConnectedSubject lock = subject("a", new LocalLock());
        ConnectedSubject recording = new ConnectedSubject() {
            @Override
            public String subject() {
                return "a";
            }

            @Override
            public Set<Claimed> claims() {
                return lock.claims();
            }

            @Override
            public SliceResult work(Workload work, Duration slice) throws ExecutionException, InterruptedException {
                worked.add(work);
                return lock.work(work, slice);
            }
        };
        Progress silent = (round, rounds, done, total, subject, each) -> {};
        Schedule schedule = schedule(1, Duration.ofMillis(200), Duration.ofMillis(5));

        new Comparison(List.of(recording), List.of(workload), schedule, silent, () -> {}, 1)
                .run(List.of(), schedule.limit());
        return worked;
    }

    @Test
    void rounds_that_would_end_too_late_are_left_out_but_one_is_measured() throws Exception {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        Progress silent = (round, rounds, done, total, subject, workload) -> {};

        Results results = new Comparison(
                        List.of(subject("a", new LocalLock())), List.of(alone), SCHEDULE, silent, () -> {}, 1)
                .run(List.of(), Duration.ZERO);

        assertThat(results.measurement(alone, "a", Metric.CYCLE_P50))
                .hasValueSatisfying(cycle -> assertThat(cycle.n()).isEqualTo(alone.slices()));
    }

    /** A fork with a single round would say more about that round than about the fork. */
    @Test
    void a_slow_machine_gets_fewer_rounds_in_each_fork_and_as_many_forks() throws Exception {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        Progress silent = (round, rounds, done, total, subject, workload) -> {};
        Schedule schedule = new Schedule(
                3, 50, Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(9), Duration.ofMillis(80));
        AtomicLong now = new AtomicLong();
        ConnectedSubject lock = subject("a", new LocalLock());
        ConnectedSubject slow = new ConnectedSubject() {
            @Override
            public String subject() {
                return "a";
            }

            @Override
            public Set<Claimed> claims() {
                return lock.claims();
            }

            @Override
            public SliceResult work(Workload work, Duration slice) throws ExecutionException, InterruptedException {
                now.addAndGet(slice.multipliedBy(3).toNanos());
                // Long enough for a cycle on a busy machine: a round without one has no figure.
                return lock.work(work, Duration.ofMillis(20));
            }
        };

        Results results = new Comparison(List.of(slow), List.of(alone), schedule, silent, () -> {}, 1, now::get)
                .run(List.of(), Duration.ofSeconds(15));

        List<Integer> forks =
                results.measurement(alone, "a", Metric.CYCLE_P50).orElseThrow().forks();
        assertThat(forks).hasSizeLessThan(150);
        for (int fork = 0; fork < 3; fork++) {
            assertThat(forks)
                    .filteredOn(List.of(fork)::contains)
                    .as("rounds of fork " + fork)
                    .hasSizeGreaterThan(1);
        }
        assertThat(Duration.ofNanos(now.get())).isLessThanOrEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void the_budget_is_shared_by_all_slices_and_a_slice_has_a_limit() {
        Schedule schedule = schedule(4, Duration.ofSeconds(50), Duration.ofMillis(500));
        Workload light = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        Workload heavy = Experiments.CONTENDED.workloads(ComparisonTier.QUICK).get(0);

        ToIntFunction<Workload> ten = any -> 10;
        ToIntFunction<Workload> one = any -> 1;
        // 10 subjects × (4 rounds × (2 × 1 + 1 + 2 + 1) + a warm-up of (4 × 1 + 4 × 1 + 6 × 2 + 1)) shares
        assertThat(schedule.slice(light, ALL, ten))
                .isEqualTo(Duration.ofSeconds(50).dividedBy(450));
        assertThat(schedule.slice(heavy, ALL, ten))
                .isEqualTo(Duration.ofSeconds(50).dividedBy(450).multipliedBy(2));
        assertThat(schedule.slice(light, List.of(light), one)).isEqualTo(Duration.ofMillis(500));
        assertThat(schedule.expected(ALL, ten)).isCloseTo(Duration.ofSeconds(50), Duration.ofMillis(1));
        assertThat(schedule.expected(List.of(light), one)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void a_lock_that_failed_at_one_point_of_a_curve_is_not_the_lock_of_the_next_one() {
        for (Experiment curve : List.of(CurveExperiments.WAITERS, CurveExperiments.HOLDS)) {
            assertThat(curve.workloads(ComparisonTier.CURVES))
                    .hasSizeGreaterThan(1)
                    .extracting(work -> work.lockName(0))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void many_locks_warm_up_for_the_one_that_one_thread_takes() {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.USUAL).get(0);
        Workload handoff = Experiments.HANDOFF.workloads(ComparisonTier.USUAL).get(0);
        Workload contended =
                Experiments.CONTENDED.workloads(ComparisonTier.USUAL).get(0);

        assertThat(handoff.warmUp(0).processes()).isEqualTo(handoff.processes());
        assertThat(handoff.warmUp(0).locks()).isGreaterThan(1);
        assertThat(handoff.warmUp(0).lockName(0)).isNotEqualTo(handoff.lockName(0));
        assertThat(contended.warmUp(0)).isEqualTo(contended);
        assertThat(handoff.warmUp(2)).isEqualTo(handoff);
        assertThat(alone.warmUp(0).threads()).isGreaterThan(1);
        assertThat(alone.warmUp(0).processes()).isEqualTo(1);
    }

    @Test
    void held_locks_are_watched_for_whole_periods_in_few_rounds_and_take_nothing_from_the_others() {
        Schedule schedule = schedule(6, Duration.ofSeconds(60), Duration.ofSeconds(2));
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.FULL).get(0);
        Workload held = Experiments.HELD.workloads(ComparisonTier.FULL).get(0);

        ToIntFunction<Workload> five = any -> 5;
        assertThat(schedule.slice(held, List.of(alone, held), five)).isEqualTo(Duration.ofSeconds(9));
        assertThat(schedule.slice(alone, List.of(alone, held), five))
                .isEqualTo(schedule.slice(alone, List.of(alone), five));
        assertThat(schedule.expected(List.of(held), five)).isEqualTo(Duration.ofSeconds(9 * 3 * 5));
    }

    @Test
    void an_interrupt_ends_a_comparison_with_what_was_found_until_then() {
        Workload alone = Experiments.UNCONTENDED.workloads(ComparisonTier.QUICK).get(0);
        Progress interrupting = (round, rounds, done, total, subject, workload) -> {
            if (round == 2) {
                Thread.currentThread().interrupt();
            }
        };

        Results results = new Comparison(
                        List.of(subject("a", new LocalLock())), List.of(alone), SCHEDULE, interrupting, () -> {}, 1)
                .run(List.of(), SCHEDULE.limit());

        assertThat(results.interrupted()).isTrue();
        assertThat(results.measurement(alone, "a", Metric.CYCLE_P50))
                .hasValueSatisfying(cycle -> assertThat(cycle.n()).isEqualTo(alone.slices()));
    }

    private static Schedule schedule(int rounds, Duration budget, Duration longestSlice) {
        return new Schedule(rounds, budget, AMPLE, Duration.ofSeconds(9), longestSlice);
    }

    private static Results compare(List<Workload> workloads, ConnectedSubject... subjects) throws InterruptedException {
        return compare(SCHEDULE, workloads, subjects);
    }

    private static Results compare(Schedule schedule, List<Workload> workloads, ConnectedSubject... subjects)
            throws InterruptedException {
        Progress silent = (round, rounds, done, total, subject, workload) -> {};
        return new Comparison(List.of(subjects), workloads, schedule, silent, () -> {}, 1)
                .run(List.of(new Pairing("a", "b")), schedule.limit());
    }

    private static ConnectedSubject subject(String name, LockUser user) {
        return ConnectedSubject.here(name, Set.of(), user);
    }

    private static final class Down implements LockUser {
        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) {
            throw new IllegalStateException("connection refused");
        }

        @Override
        public void close() {}
    }
}
