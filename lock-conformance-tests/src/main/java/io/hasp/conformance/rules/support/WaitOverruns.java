package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How much later than asked some waits ended. On a machine with more runnable threads than cores any one of them may be
 * late for no fault of the lock's; so the promise is held against the median, and a tolerance against the worst.
 */
public final class WaitOverruns {
    private static final Duration PROMISE = Duration.ofMillis(50);

    private final List<Duration> overruns = new ArrayList<>();

    /** Notes a wait that began at a reading of the monotonic clock and has ended now. */
    public void ended(Duration wait, long began) {
        Duration overrun = Duration.ofNanos(System.nanoTime() - began).minus(wait);
        assertThat(overrun).as("a wait of " + wait + " ended early, by").isGreaterThan(Duration.ofMillis(-1));
        overruns.add(overrun);
    }

    public void assertKept(MachineLateness lateness) {
        Collections.sort(overruns);
        assertThat(overruns.get(overruns.size() / 2))
                .as("median overrun of the waits " + overruns)
                .isLessThan(PROMISE.plus(lateness.allowance()));
        assertThat(overruns.get(overruns.size() - 1))
                .as("worst overrun of the waits " + overruns)
                .isLessThan(Timings.tolerance().plus(lateness.allowance()));
    }
}
