package io.hasp.conformance.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.random.PlannedCall.Call;
import io.hasp.conformance.random.PlannedCall.Ending;
import io.hasp.conformance.random.PlannedCall.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CallPlanTest {
    private static final int SEEDS = 100;
    private static final Duration HAND_OFF = Duration.ofMillis(20);

    @Test
    void a_seed_is_a_plan_and_another_seed_another_plan() {
        assertThat(calls(7)).isEqualTo(calls(7)).isNotEqualTo(calls(8));
        assertThat(CallPlan.of(7).calls(0)).isNotEqualTo(CallPlan.of(7).calls(1));
    }

    @Test
    void plans_have_one_to_three_clients_and_never_a_thread_alone() {
        assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(CallPlan::of))
                .allSatisfy(plan -> assertThat(plan.allThreads()).isBetween(2, 8))
                .extracting(CallPlan::clients)
                .contains(1, 2, 3)
                .allMatch(clients -> clients <= 3);
    }

    @Test
    void every_call_every_way_to_hold_and_every_ending_is_drawn() {
        assertThat(drawn(PlannedCall::call)).containsExactlyInAnyOrder(Call.values());
        assertThat(drawn(PlannedCall::leaseKind)).containsExactlyInAnyOrder(LeaseKind.values());
        assertThat(drawn(PlannedCall::ending)).containsExactlyInAnyOrder(Ending.values());
        assertThat(drawn(PlannedCall::extend)).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(planned -> planned.again() > 0)).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(planned -> planned.interrupt().isPresent())).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(planned -> planned.patience().isZero())).containsExactlyInAnyOrder(true, false);
        assertThat(drawn(planned -> planned.hold().compareTo(HAND_OFF) > 0)).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void an_extended_lease_is_an_explicit_one() {
        assertThat(LongStream.rangeClosed(1, SEEDS).boxed())
                .flatExtracting(CallPlanTest::calls)
                .filteredOn(PlannedCall::extend)
                .allMatch(planned -> planned.options().fixedLease().isPresent());
    }

    private static <T> Set<T> drawn(Function<PlannedCall, T> part) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(CallPlanTest::calls)
                .flatMap(List::stream)
                .map(part)
                .collect(Collectors.toSet());
    }

    private static List<PlannedCall> calls(long seed) {
        CallPlan plan = CallPlan.of(seed);
        List<PlannedCall> calls = new ArrayList<>();
        for (int thread = 0; thread < plan.allThreads(); thread++) {
            calls.addAll(plan.calls(thread));
        }
        return calls;
    }
}
