package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final int SUBJECTS = 13;

    private final Schedule usual = Schedule.of(ComparisonTier.USUAL);
    private final List<Workload> work = Stream.of(Experiments.UNCONTENDED, Experiments.DISTINCT, Experiments.HANDOFF)
            .flatMap(experiment -> experiment.workloads(ComparisonTier.USUAL).stream())
            .toList();

    @Test
    void more_rounds_take_more_time_and_not_shorter_slices() {
        Schedule more = usual.with(2 * usual.forks(), 2 * usual.rounds());

        assertThat(more.allRounds()).isEqualTo(4 * usual.allRounds());
        assertThat(work)
                .allSatisfy(each -> assertThat(slice(more, each))
                        .isBetween(slice(usual, each), slice(usual, each).multipliedBy(2)));
        assertThat(more.expected(work, any -> SUBJECTS))
                .isBetween(
                        usual.expected(work, any -> SUBJECTS).multipliedBy(2),
                        usual.expected(work, any -> SUBJECTS).multipliedBy(5));
        assertThat(more.limit().minus(more.budget()))
                .as("what processes may take to start")
                .isEqualTo(usual.limit().minus(usual.budget()).multipliedBy(2));
    }

    @Test
    void one_round_of_one_fork_is_a_round_and_its_warm_up() {
        Schedule one = usual.with(1, 1);

        assertThat(one.allRounds()).isEqualTo(1);
        assertThat(one.expected(work, any -> SUBJECTS)).isLessThan(usual.expected(work, any -> SUBJECTS));
        assertThat(usual.with(usual.forks(), usual.rounds())).isEqualTo(usual);
    }

    @Test
    void trials_that_the_user_names_get_time_of_their_own() {
        List<Workload> held = Experiments.HELD.workloads(ComparisonTier.USUAL);

        Schedule longer = usual.withTrials(held, any -> SUBJECTS);

        assertThat(longer.limit().minus(usual.limit()).dividedBy(usual.forks()))
                .as("the share of the fork that has them")
                .isGreaterThanOrEqualTo(usual.expected(held, any -> SUBJECTS).multipliedBy(2));
        assertThat(longer.budget()).isEqualTo(usual.budget());
        assertThat(usual.withTrials(work, any -> SUBJECTS)).isEqualTo(usual);
    }

    @Test
    void work_that_few_can_do_leaves_its_time_to_the_others() {
        Workload few = work.get(0);

        assertThat(usual.slice(few, work, each -> each.equals(few) ? 2 : SUBJECTS))
                .isGreaterThan(slice(usual, few));
        assertThat(usual.expected(work, each -> each.equals(few) ? 2 : SUBJECTS))
                .isCloseTo(usual.budget(), Duration.ofMillis(10));
    }

    private Duration slice(Schedule schedule, Workload workload) {
        return schedule.slice(workload, work, any -> SUBJECTS);
    }
}
