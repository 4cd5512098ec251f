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
        Schedule more = usual.with(8, 6);

        assertThat(more.allRounds()).isEqualTo(4 * usual.allRounds());
        assertThat(work)
                .allSatisfy(each -> assertThat(slice(more, each))
                        .isBetween(slice(usual, each), slice(usual, each).multipliedBy(2)));
        assertThat(more.expected(work, SUBJECTS))
                .isBetween(
                        usual.expected(work, SUBJECTS).multipliedBy(2),
                        usual.expected(work, SUBJECTS).multipliedBy(5));
        assertThat(more.limit().minus(more.budget()))
                .as("what processes may take to start")
                .isEqualTo(usual.limit().minus(usual.budget()).multipliedBy(2));
    }

    @Test
    void one_round_of_one_fork_is_a_round_and_its_warm_up() {
        Schedule one = usual.with(1, 1);

        assertThat(one.allRounds()).isEqualTo(1);
        assertThat(one.expected(work, SUBJECTS)).isLessThan(usual.expected(work, SUBJECTS));
        assertThat(usual.with(usual.forks(), usual.rounds())).isEqualTo(usual);
    }

    private Duration slice(Schedule schedule, Workload workload) {
        return schedule.slice(workload, work, SUBJECTS);
    }
}
