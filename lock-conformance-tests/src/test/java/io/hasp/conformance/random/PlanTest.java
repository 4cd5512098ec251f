package io.hasp.conformance.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.random.Step.Call;
import io.hasp.conformance.random.Step.Ending;
import io.hasp.conformance.random.Step.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final int SEEDS = 100;
    private static final Duration HAND_OFF = Duration.ofMillis(20);

    @Test
    void a_seed_is_a_plan_and_another_seed_another_plan() {
        assertThat(steps(7)).isEqualTo(steps(7)).isNotEqualTo(steps(8));
        assertThat(Plan.of(7).steps(0)).isNotEqualTo(Plan.of(7).steps(1));
    }

    @Test
    void plans_have_one_to_three_clients_and_never_a_thread_alone() {
        assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(Plan::of))
                .allSatisfy(plan -> assertThat(plan.allThreads()).isBetween(2, 8))
                .extracting(Plan::clients)
                .contains(1, 2, 3)
                .allMatch(clients -> clients <= 3);
    }

    @Test
    void every_call_every_way_to_hold_and_every_ending_is_drawn() {
        assertThat(drawn(Step::call)).containsExactlyInAnyOrder(Call.values());
        assertThat(drawn(Step::terms)).containsExactlyInAnyOrder(Terms.values());
        assertThat(drawn(Step::ending)).containsExactlyInAnyOrder(Ending.values());
        assertThat(drawn(Step::extend)).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(step -> step.again() > 0)).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(step -> step.interrupt().isPresent())).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(step -> step.patience().isZero())).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(step -> step.hold().compareTo(HAND_OFF) > 0)).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void an_extended_lease_is_an_explicit_one() {
        assertThat(LongStream.rangeClosed(1, SEEDS).boxed())
                .flatExtracting(PlanTest::steps)
                .filteredOn(Step::extend)
                .allMatch(step -> step.options().fixedLease().isPresent());
    }

    private static <T> Set<T> drawn(Function<Step, T> part) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(PlanTest::steps)
                .flatMap(List::stream)
                .map(part)
                .collect(Collectors.toSet());
    }

    private static List<Step> steps(long seed) {
        Plan plan = Plan.of(seed);
        List<Step> steps = new ArrayList<>();
        for (int thread = 0; thread < plan.allThreads(); thread++) {
            steps.addAll(plan.steps(thread));
        }
        return steps;
    }
}
