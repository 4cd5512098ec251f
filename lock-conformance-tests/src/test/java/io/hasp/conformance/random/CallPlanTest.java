package io.hasp.conformance.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.random.PlannedCall.Call;
import io.hasp.conformance.random.PlannedCall.Ending;
import io.hasp.conformance.random.PlannedCall.LeaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CallPlanTest {
    private static final int SEEDS = 100;
    private static final Duration HAND_OFF = Duration.ofMillis(20);

    @Test
    void a_seed_is_a_plan_and_another_seed_another_plan() {
        assertThat(calls(7)).isEqualTo(calls(7)).isNotEqualTo(calls(8));
        assertThat(CallPlan.of(7, true).calls(0))
                .isNotEqualTo(CallPlan.of(7, true).calls(1));
    }

    @Test
    void plans_have_one_to_three_clients_and_never_a_thread_alone() {
        assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(seed -> CallPlan.of(seed, true)))
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

    @Test
    void every_kind_of_lock_and_every_way_to_use_it_is_drawn() {
        assertThat(drawn(planned -> planned.mode().mode()))
                .contains(LockMode.EXCLUSIVE, LockMode.READ, LockMode.WRITE)
                .contains(LockMode.permits(1, 5), LockMode.permits(5, 5));
        assertThat(drawn(planned -> planned.mode().less()))
                .contains(Optional.empty(), Optional.of(LockMode.READ), Optional.of(LockMode.permits(1, 2)));
        assertThat(drawn(planned -> planned.mode().upgrade())).containsExactlyInAnyOrder(true, false);
        assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(seed -> CallPlan.of(seed, true)))
                .anyMatch(plan -> kinds(plan).size() == 3)
                .allMatch(plan -> plan.mixed() || mistaken(plan).isEmpty())
                .anyMatch(plan -> !mistaken(plan).isEmpty());
    }

    @Test
    void what_is_left_of_a_hold_is_less_of_the_same_kind() {
        assertThat(LongStream.rangeClosed(1, SEEDS).boxed())
                .flatExtracting(CallPlanTest::calls)
                .extracting(PlannedCall::mode)
                .filteredOn(mode -> mode.less().isPresent())
                .allMatch(mode -> mode.less().get().capacity() == mode.mode().capacity()
                        && mode.less().get().weight() < mode.mode().weight());
    }

    @Test
    void a_backend_that_does_not_share_gets_exclusive_locks() {
        assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(seed -> CallPlan.of(seed, false)))
                .flatExtracting(CallPlanTest::calls)
                .allMatch(planned -> planned.mode().equals(CallMode.EXCLUSIVE));
    }

    private static Set<LockMode> kinds(CallPlan plan) {
        return IntStream.range(0, plan.locks()).mapToObj(plan::whole).collect(Collectors.toSet());
    }

    private static List<PlannedCall> mistaken(CallPlan plan) {
        return calls(plan).stream()
                .filter(planned -> planned.mode().mode().capacity()
                        != plan.whole(planned.lock()).capacity())
                .toList();
    }

    private static <T> Set<T> drawn(Function<PlannedCall, T> part) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(CallPlanTest::calls)
                .flatMap(List::stream)
                .map(part)
                .collect(Collectors.toSet());
    }

    private static List<PlannedCall> calls(long seed) {
        return calls(CallPlan.of(seed, true));
    }

    private static List<PlannedCall> calls(CallPlan plan) {
        List<PlannedCall> calls = new ArrayList<>();
        for (int thread = 0; thread < plan.allThreads(); thread++) {
            calls.addAll(plan.calls(thread));
        }
        return calls;
    }
}
