package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The overruns of some waits. With more runnable threads than cores any single wait may be late through no fault of the
 * lock. So the promise applies to the median, and a tolerance to the worst.
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
