package io.hasp.redis.diagnosis;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Judges round trips and clocks. */
final class ClockChecks {
    private static final Duration LONG_TRIP = Duration.ofMillis(100);
    private static final Duration MOST_DRIFT = Duration.ofMillis(20);

    private static final Duration MOST_APART = Duration.ofSeconds(1);

    private ClockChecks() {}

    static void run(Pulse pulse, Findings findings) {
        String trip = millis(pulse.roundTrip()) + " (median)";
        if (pulse.roundTrip().compareTo(LONG_TRIP) > 0) {
            findings.warn("round trip", trip + ": a lock takes at least that long, and short leases are at risk");
        } else {
            findings.ok("round trip", trip);
        }
        Duration allowed = MOST_DRIFT.plus(pulse.doubt());
        if (pulse.drift().abs().compareTo(allowed) > 0) {
            findings.warn(
                    "clock",
                    "within " + millis(pulse.measured()) + " the server's clock was off by " + millis(pulse.drift())
                            + ": leases end early or late while it is set or runs at another speed");
        } else {
            findings.ok("clock", "the server's clock runs as fast as this client's");
        }
    }

    /** Compares the clocks of several servers. */
    static void compare(Collection<Pulse> pulses, boolean majority, Findings findings) {
        List<Duration> offsets = pulses.stream()
                .map(Pulse::offset)
                .sorted(Comparator.naturalOrder())
                .toList();
        if (offsets.size() < 2) {
            return;
        }
        Duration apart = offsets.get(offsets.size() - 1).minus(offsets.get(0));
        if (apart.compareTo(MOST_APART) <= 0) {
            findings.ok("clocks", "the servers' clocks are at most " + millis(apart) + " apart");
        } else {
            findings.warn(
                    "clocks",
                    "the servers' clocks are " + millis(apart) + " apart: "
                            + (majority
                                    ? "tokens of nodes that forgot their data may not grow; run a time service on each"
                                    : "times of locks can't be compared across servers; run a time service on each"));
        }
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
