package io.hasp.simulator.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A violation gives the due time of each timer that is left, and in a traced run the method that set it. */
class SimulatedTimingTest {
    private long now = 5_000_000_000L;

    private void setTimers(SimulatedTiming timing) {
        timing.schedule(Duration.ofSeconds(3), () -> {});
        timing.schedule(Duration.ofMillis(250), () -> {});
        now += Duration.ofMillis(50).toNanos();
    }

    @Test
    void each_timer_tells_when_it_is_due_the_first_one_first() {
        SimulatedTiming timing = new SimulatedTiming(() -> now, false);
        setTimers(timing);
        assertThat(timing.describe()).containsExactly("due in PT0.2S", "due in PT2.95S");
    }

    @Test
    void in_a_traced_run_each_timer_tells_which_method_set_it() {
        SimulatedTiming timing = new SimulatedTiming(() -> now, true);
        setTimers(timing);
        assertThat(timing.describe())
                .containsExactly(
                        "due in PT0.2S by SimulatedTimingTest.setTimers",
                        "due in PT2.95S by SimulatedTimingTest.setTimers");
    }
}
