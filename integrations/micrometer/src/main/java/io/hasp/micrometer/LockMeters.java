package io.hasp.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** The meters of one set of tags. All exist from the beginning, so that a rate includes the first event. */
final class LockMeters {
    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Timer acquired;
    private final Timer contended;
    private final Timer unavailable;
    private final Timer held;
    private final Timer renewalDelay;
    private final Counter lost;
    private final Counter suspect;
    private final Counter handedOff;
    private final AtomicInteger waiting;
    private final AtomicInteger active;

    LockMeters(MeterRegistry registry, Tags tags) {
        acquired = acquire(registry, tags, "acquired");
        contended = acquire(registry, tags, "contended");
        unavailable = acquire(registry, tags, "unavailable");
        held = timer(registry, tags, "hasp.lock.held", "From the beginning of a lease to its release or loss");
        renewalDelay = timer(
                registry, tags, "hasp.renewal.delay", "How long after it was due the renewal of a lease was confirmed");
        lost = counter(registry, tags, "hasp.lock.lost", "Leases that were lost");
        suspect = counter(registry, tags, "hasp.lock.suspect", "How often a lease could not be confirmed for a while");
        handedOff = counter(registry, tags, "hasp.lock.handed.off", "Leases that began without a round trip");
        waiting = gauge(registry, tags, "hasp.lock.waiting", "Callers that wait for a lock");
        active = gauge(registry, tags, "hasp.lock.active", "Leases that are held");
    }

    private static Timer acquire(MeterRegistry registry, Tags tags, String outcome) {
        String what = "From the call for a lock to its outcome";
        return timer(registry, tags.and("outcome", outcome), "hasp.lock.acquire", what);
    }

    private static Timer timer(MeterRegistry registry, Tags tags, String name, String what) {
        return Timer.builder(name)
                .description(what)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, Tags tags, String name, String what) {
        return Counter.builder(name).description(what).tags(tags).register(registry);
    }

    private static AtomicInteger gauge(MeterRegistry registry, Tags tags, String name, String what) {
        AtomicInteger value = new AtomicInteger();
        Gauge.builder(name, value, AtomicInteger::get)
                .description(what)
                .tags(tags)
                .strongReference(true)
                .register(registry);
        return value;
    }

    void acquired(Duration waited) {
        active.incrementAndGet();
        acquired.record(waited);
    }

    void contended(Duration waited) {
        contended.record(waited);
    }

    void unavailable(Duration waited) {
        unavailable.record(waited);
    }

    void ended(Duration time) {
        active.decrementAndGet();
        held.record(time);
    }

    void renewed(Duration delay) {
        renewalDelay.record(delay);
    }

    void lost() {
        lost.increment();
    }

    void suspect() {
        suspect.increment();
    }

    void handedOff() {
        handedOff.increment();
    }

    void waitBegan() {
        waiting.incrementAndGet();
    }

    void waitEnded() {
        waiting.decrementAndGet();
    }
}
