package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
    private static final Workload RATE = workload(200);

    private static Workload workload(double perSecond) {
        return new Workload(CurveExperiments.RATE, 1, 2, 100, Duration.ZERO, Axis.RATE, perSecond);
    }

    @Test
    void requests_arrive_as_often_as_the_workload_says() {
        Arrivals arrivals = new Arrivals(1_000);
        long last = 0;
        for (int i = 0; i < 10_000; i++) {
            long next = arrivals.next();
            assertThat(next).isGreaterThanOrEqualTo(last);
            last = next;
        }
        assertThat(last / 1e9).as("seconds for 10,000").isBetween(9.5, 10.5);
    }

    /** Two threads of 50 ms each serve 40 in a second; 200 arrive. A closed loop would say 50 ms. */
    @Test
    void a_request_that_waits_for_a_free_thread_waits_from_its_arrival_on() throws Exception {
        LocalLock slow = new LocalLock().taking(Duration.ofMillis(50));

        SliceResult result = SliceResult.of(
                Duration.ofMillis(400),
                List.of(SliceLog.work(List.of(slow), RATE, System.nanoTime(), Duration.ofMillis(400))),
                ResourceUsage.UNKNOWN);

        assertThat(result.times().getTotalCount()).as("all that arrived").isBetween(40L, 130L);
        assertThat(result.percentileMicros(99)).as("µs").isGreaterThan(300_000);
    }

    @Test
    void names_that_are_used_once_differ_and_come_after_as_many_others_as_is_said() throws Exception {
        Workload fresh = new Workload(CurveExperiments.FRESH, 1, 2, 2, Duration.ZERO, Axis.FRESH, 50);

        SliceLog log = SliceLog.work(List.of(new LocalLock()), fresh, System.nanoTime(), Duration.ofMillis(20));

        List<String> names = log.workers().stream()
                .flatMap(worker -> worker.lockNames().stream())
                .filter(name -> name.contains("fresh-"))
                .toList();
        assertThat(names).hasSizeGreaterThan(52).doesNotHaveDuplicates();
    }

    @Test
    void without_a_curve_no_name_is_used_before_and_each_cycle_has_a_new_one() throws Exception {
        Workload fresh = CurveExperiments.FRESH.workloads(ComparisonTier.USUAL).get(1);

        SliceLog log = SliceLog.work(
                List.of(new LocalLock().taking(Duration.ofMillis(1))), fresh, System.nanoTime(), Duration.ofMillis(30));

        assertThat(log.workers()).hasSize(16).allSatisfy(worker -> {
            assertThat(worker.lockNames()).doesNotHaveDuplicates();
            assertThat(worker.times().getTotalCount())
                    .as("cycles, and the names that they took besides the first, which none takes")
                    .isEqualTo(worker.lockNames().size() - 1);
        });
    }
}
