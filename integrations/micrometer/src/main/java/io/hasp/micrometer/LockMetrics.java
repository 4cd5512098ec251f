package io.hasp.micrometer;

import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a client's locks in a {@link MeterRegistry}. Give it to a client as a listener; it may be given to several, which are then
 * counted together.
 *
 * <pre>{@code
 * LockClient.connect(uri, ClientOptions.defaults().addListener(LockMetrics.on(registry)));
 * }</pre>
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><td>{@code hasp.lock.acquire}</td><td>timer: from the call to its outcome; tag {@code outcome}: {@code acquired},
 *     {@code contended}, {@code unavailable}. What its caller gave up, or its client ended, is not in it</td></tr>
 * <tr><td>{@code hasp.lock.held}</td><td>timer: from the beginning of a lease to its release or loss</td></tr>
 * <tr><td>{@code hasp.lock.lost}</td><td>counter: leases that were lost</td></tr>
 * <tr><td>{@code hasp.lock.suspect}</td><td>counter: how often a lease could not be confirmed for a while</td></tr>
 * <tr><td>{@code hasp.lock.handed.off}</td><td>counter: leases that began without a round trip, by hand-off or on a kept lock</td></tr>
 * <tr><td>{@code hasp.lock.waiting}</td><td>gauge: callers that wait, because others have the lock or the service fails</td></tr>
 * <tr><td>{@code hasp.lock.active}</td><td>gauge: leases that are held</td></tr>
 * <tr><td>{@code hasp.renewal.delay}</td><td>timer: how long after it was due a renewal was confirmed</td></tr>
 * </table>
 *
 * <p>The timers have buckets from 1 ms to 1 min, for percentiles. Names of locks are no tag, because there may be millions of them;
 * {@link Builder#lockTag} maps them to a few values.
 *
 * <p>Thread-safe. Its meters are registered when it is made, and stay in the registry. Make one for each registry and set of tags: of
 * a second one, the registry ignores the gauges.
 */
public final class LockMetrics implements LockListener {
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Tags tags;
    private final @Nullable Function<String, @Nullable String> groupOf;
    /** The meters of all locks; null if each lock has its own. */
    private final @Nullable LockMeters common;

    private final ConcurrentHashMap<String, LockMeters> groups = new ConcurrentHashMap<>();

    private LockMetrics(Builder builder) {
        this.registry = builder.registry;
        this.tags = builder.tags;
        this.groupOf = builder.groupOf;
        this.common = groupOf == null ? new LockMeters(registry, tags) : null;
    }

    /**
     * Metrics without tags of their own.
     *
     * @param registry where the meters are
     * @return a listener for one or more clients
     */
    public static LockMetrics on(MeterRegistry registry) {
        return builder(registry).build();
    }

    /**
     * Metrics with tags.
     *
     * @param registry where the meters are
     * @return a builder without tags
     */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /** Collects the tags. Not thread-safe. */
    public static final class Builder {
        private final MeterRegistry registry;
        private Tags tags = Tags.empty();
        private @Nullable Function<String, @Nullable String> groupOf;

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /**
         * Adds tags to every meter, such as {@code client}, where a program has several clients.
         *
         * @param more the tags
         * @return this builder
         */
        public Builder tags(Iterable<Tag> more) {
            tags = tags.and(more);
            return this;
        }

        /**
         * Adds tags to every meter.
         *
         * @param keysAndValues in pairs
         * @return this builder
         */
        public Builder tags(String... keysAndValues) {
            tags = tags.and(keysAndValues);
            return this;
        }

        /**
         * Adds the tag {@code lock} to every meter, with what a function makes of the lock's name. Each value costs about 90 time series,
         * which stay for the registry's life: it has to map all names to few values, such as {@code orders/42} to {@code orders}.
         *
         * @param groupOf quick, and always the same for the same name; called for each event. Null means {@code other}
         * @return this builder
         */
        public Builder lockTag(Function<String, @Nullable String> groupOf) {
            this.groupOf = groupOf;
            return this;
        }

        /**
         * Registers the meters; with a {@link #lockTag}, those of each value when it is first seen.
         *
         * @return a listener for one or more clients
         */
        public LockMetrics build() {
            return new LockMetrics(this);
        }
    }

    /** True: it counts, and meters don't block. */
    @Override
    public boolean isNonBlocking() {
        return true;
    }

    @Override
    public void onEvent(LockEvent event) {
        LockMeters meters = common != null ? common : ofGroup(event.lock());
        if (event instanceof LockEvent.Acquired acquired) {
            meters.acquired(acquired.waited());
        } else if (event instanceof LockEvent.Released released) {
            meters.ended(released.held());
        } else if (event instanceof LockEvent.Waiting) {
            meters.waitBegan();
        } else if (event instanceof LockEvent.WaitEnded) {
            meters.waitEnded();
        } else if (event instanceof LockEvent.Contended contended) {
            meters.contended(contended.waited());
        } else if (event instanceof LockEvent.Unavailable unavailable) {
            meters.unavailable(unavailable.waited());
        } else if (event instanceof LockEvent.HandedOff) {
            meters.handedOff();
        } else if (event instanceof LockEvent.Renewed renewed) {
            meters.renewed(renewed.delay());
        } else if (event instanceof LockEvent.Suspect) {
            meters.suspect();
        } else if (event instanceof LockEvent.Lost lost) {
            meters.lost();
            lost.held().ifPresent(meters::ended);
        }
    }

    private LockMeters ofGroup(String lock) {
        String found = groupOf == null ? null : groupOf.apply(lock);
        String group = found == null ? OTHER : found;
        LockMeters present = groups.get(group);
        return present != null
                ? present
                : groups.computeIfAbsent(group, value -> new LockMeters(registry, tags.and("lock", value)));
    }
}
