package io.hasp.redis.diagnosis;

import io.hasp.redis.script.LockScript;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures round trips to one server, and compares its clock with the monotonic clock of this client. Immutable.
 *
 * @param roundTrip the median
 * @param drift the difference between the times that passed on both clocks
 * @param doubt the most by which the drift may be wrong, since the server read its clock at some moment of a trip
 * @param measured the time over which they were compared
 * @param offset the server's clock minus this client's monotonic clock, whose zero means nothing: only differences of offsets count
 */
record Pulse(Duration roundTrip, Duration drift, Duration doubt, Duration measured, Duration offset) {
    private static final int TRIPS = 11;
    private static final Duration APART = Duration.ofMillis(30);

    private record Beat(long sentAt, long answeredAt, long serverMicros) {
        long trip() {
            return answeredAt - sentAt;
        }

        long middle() {
            return sentAt + trip() / 2;
        }

        long offset(Beat first) {
            return (serverMicros - first.serverMicros) * 1_000 - (middle() - first.middle());
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
        Beat first = shortest(beats.subList(0, TRIPS / 2));
        Beat last = shortest(beats.subList(TRIPS / 2, TRIPS));
        return new Pulse(
                Duration.ofNanos(trips.get(TRIPS / 2)),
                Duration.ofNanos(last.offset(first)),
                Duration.ofNanos(first.trip() / 2 + last.trip() / 2),
                Duration.ofNanos(last.answeredAt() - first.sentAt()),
                Duration.of(first.serverMicros(), ChronoUnit.MICROS).minus(Duration.ofNanos(first.middle())));
    }

    /** The shortest trip says most about the moment at which the server read its clock. */
    private static Beat shortest(List<Beat> beats) {
        return beats.stream().min(Comparator.comparingLong(Beat::trip)).orElseThrow();
    }
}
