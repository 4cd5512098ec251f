package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * All orders in which three nested calls may lose their leases. A call's work has a step before its inner call and one after it. In each
 * step any of the three leases may be lost, and the work may then notice the interrupt, which clears it.
 */
class InterruptOnLossStepsTest {
    private static final int DEPTH = 3;
    private static final int STEPS = 2 * DEPTH - 1;
    private static final int NEVER = STEPS;

    @Test
    void an_interrupt_lasts_until_the_work_that_lost_its_lease_has_noticed_it_and_no_longer() throws Exception {
        int runs = 0;
        for (int losses = 0; losses < Math.pow(STEPS + 1, DEPTH); losses++) {
            for (int noticing = 0; noticing < 1 << STEPS; noticing++) {
                new Run(losses, noticing).start();
                runs++;
            }
        }
        assertThat(runs).isEqualTo(216 * 32);
    }

    private static final class Run {
        private final int[] lostAt = new int[DEPTH];
        private final int noticing;
        private final Runnable[] tasks = new Runnable[DEPTH];
        private final List<Integer> begun = new ArrayList<>();
        private final boolean[] lost = new boolean[DEPTH];
        private final boolean[] noticed = new boolean[DEPTH];
        private int step;

        Run(int losses, int noticing) {
            for (int call = 0, rest = losses; call < DEPTH; call++, rest /= STEPS + 1) {
                lostAt[call] = rest % (STEPS + 1);
            }
            this.noticing = noticing;
        }

        @Override
        public String toString() {
            return "calls " + List.of(lostAt[0], lostAt[1], lostAt[2]) + " lost at these steps (" + NEVER
                    + ": never), interrupts noticed in steps " + Integer.toBinaryString(noticing) + ", at step " + step;
        }

        void start() throws Exception {
            call(0);
            assertThat(Thread.interrupted())
                    .as("an interrupt after the calls: %s", this)
                    .isFalse();
        }

        private void call(int call) throws Exception {
            InterruptOnLoss.during(
                    task -> {
                        tasks[call] = task;
                        begun.add(call);
                        return () -> {};
                    },
                    () -> null,
                    () -> work(call));
            checkInterrupt(call - 1);
        }

        private String work(int call) throws Exception {
            step(call);
            if (call + 1 < DEPTH) {
                call(call + 1);
                step(call);
            }
            return "done";
        }

        private void step(int call) {
            for (int each : begun) {
                if (lostAt[each] == step) {
                    tasks[each].run();
                    lost[each] |= each <= call;
                }
            }
            checkInterrupt(call);
            if ((noticing >> step & 1) == 1) {
                Thread.interrupted();
                noticed[call] |= lost[call];
            }
            step++;
        }

        /** The result that the work of this call must see, at its step or at the end of its inner call. */
        private void checkInterrupt(int call) {
            boolean seen = Thread.currentThread().isInterrupted();
            boolean owed = false;
            for (int each = 0; each <= call; each++) {
                owed |= lost[each] && !noticed[each];
            }
            if (!owed) {
                assertThat(seen)
                        .as("nobody is to notice an interrupt: %s", this)
                        .isFalse();
            } else if (lost[call] && !noticed[call]) {
                assertThat(seen).as("call %s lost its lease: %s", call, this).isTrue();
            }
        }
    }
}
