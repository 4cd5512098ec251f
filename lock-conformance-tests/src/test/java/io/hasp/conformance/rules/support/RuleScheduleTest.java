package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.NoLock;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Rules that wait run side by side, and each of the others alone, where the engine runs tests in parallel. */
final class RuleScheduleTest {

    @Test
    void rules_that_wait_run_side_by_side_and_others_alone() {
        run(SharesItsServer.class, true, 4);
    }

    @Test
    void rule_that_disturbs_runs_beside_those_that_wait_if_it_has_a_server_of_its_own() {
        run(Lends.class, true, 4);
    }

    @Test
    void rules_run_one_after_the_other_where_the_engine_does() {
        run(SharesItsServer.class, false, 4);
    }

    private static void run(Class<? extends Meeting> adopter, boolean parallel, int rules) {
        Meeting.size = !parallel ? 1 : adopter.equals(Lends.class) ? 3 : 2;
        Meeting.together = new CyclicBarrier(Meeting.size);
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(adopter))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", Boolean.toString(parallel))
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "5")
                .execute()
                .testEvents()
                .assertStatistics(tests -> tests.succeeded(rules));
    }

    /** Waiting rules run together, and a disturbing rule runs with them if it may; each other rule runs alone. */
    abstract static class Meeting implements RuleGroup {
        static volatile int size;
        static volatile CyclicBarrier together = new CyclicBarrier(1);
        private static final AtomicInteger UNDER_WAY = new AtomicInteger();

        @Override
        public LockSubject subject() {
            return new NoLock().subject("");
        }

        @Test
        @MostlyWaits
        void x_waits() throws Exception {
            meet(together);
        }

        @Test
        @MostlyWaits
        void y_waits_too() throws Exception {
            meet(together);
        }

        @Test
        @DisturbsServer
        void z_disturbs() throws Exception {
            meet(size == 3 ? together : new CyclicBarrier(1));
            assertThat(size == 3 || UNDER_WAY.get() == 0)
                    .as("whether a rule that disturbs a shared server is alone")
                    .isTrue();
        }

        @Test
        void a_counts() {
            for (int i = 0; i < 1_000; i++) {
                assertThat(UNDER_WAY).as("other rules").hasValue(0);
            }
        }

        private static void meet(CyclicBarrier others) throws Exception {
            UNDER_WAY.incrementAndGet();
            try {
                others.await(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                UNDER_WAY.decrementAndGet();
            }
        }
    }

    static final class SharesItsServer extends Meeting {}

    @LendsServers
    static final class Lends extends Meeting {}
}
