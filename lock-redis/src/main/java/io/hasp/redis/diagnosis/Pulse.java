package io.hasp.redis.diagnosis;

import io.hasp.redis.script.LockScript;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures round trips to one server, and compares its clock with the monotonic clock of this client. Immutable.
 *
 * @param roundTrip the median
 * @param drift the difference between the times that passed on both clocks
 * @param measured the time over which they were compared
 * @param offset the server's clock minus this client's monotonic clock, whose zero means nothing: only differences of offsets count
 */
record Pulse(Duration roundTrip, Duration drift, Duration measured, Duration offset) {
    private static final int TRIPS = 11;
    private static final Duration APART = Duration.ofMillis(30);

    private record Beat(long sentAt, long answeredAt, long serverMicros) {
        long trip() {
            return answeredAt - sentAt;
        }

        /** The server's clock minus the middle of the trip, in nanoseconds, on a scale without overflow. */
        long offset(Beat first) {
            long middle = sentAt / 2 + answeredAt / 2;
            long firstMiddle = first.sentAt / 2 + first.answeredAt / 2;
            return (serverMicros - first.serverMicros) * 1_000 - (middle - firstMiddle);
        }
    }

    static Pulse of(ScriptRunner scripts, String key, Timing timing) {
        List<Beat> beats = new ArrayList<>();
        for (int i = 0; i < TRIPS; i++) {
            LockSupport.parkNanos(i == 0 ? 0 : APART.toNanos());
            long sentAt = timing.nanoTime();
            String micros = scripts.run(LockScript.CLOCK, List.of(key), List.of())
                    .toCompletableFuture()
                    .join();
            beats.add(new Beat(sentAt, timing.nanoTime(), Long.parseLong(micros)));
        }
        List<Long> trips = beats.stream().map(Beat::trip).sorted().toList();
        Beat first = beats.get(0);
        Beat last = beats.get(TRIPS - 1);
        Duration middle = Duration.ofNanos(first.sentAt() / 2 + first.answeredAt() / 2);
        return new Pulse(
                Duration.ofNanos(trips.get(TRIPS / 2)),
                Duration.ofNanos(last.offset(first)),
                Duration.ofNanos(last.answeredAt() - first.sentAt()),
                Duration.of(first.serverMicros(), ChronoUnit.MICROS).minus(middle));
    }
}
