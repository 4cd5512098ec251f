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
 * Metrics of a client's locks in a {@link MeterRegistry}, as a listener of the client. One instance may listen to
 * several clients, which are then counted together.
 *
 * <pre>{@code
 * LockClient.connect(uri, ClientOptions.defaults().addListener(LockMetrics.on(registry)));
 * }</pre>
 *
 * <table> <caption>The meters</caption>
 * <tr><td>{@code hasp.lock.acquire}</td><td>timer: from the call to its outcome; tag {@code outcome}: {@code acquired},
 * {@code contended}, {@code unavailable}. Excludes calls that were cancelled or interrupted, or whose client was
 * closed</td></tr>
 * <tr><td>{@code hasp.lock.held}</td><td>timer: from the beginning of a lease to its release or loss</td></tr>
 * <tr><td>{@code hasp.lock.lost}</td><td>counter: lost leases</td></tr>
 * <tr><td>{@code hasp.lock.suspect}</td><td>counter: leases that could not be confirmed for a while</td></tr>
 * <tr><td>{@code hasp.lock.handed.off}</td><td>counter: leases that began without a round trip, by hand-off or on a
 * kept lock</td></tr>
 * <tr><td>{@code hasp.lock.waiting}</td><td>gauge: callers that wait, because others have the lock or the service
 * fails</td></tr>
 * <tr><td>{@code hasp.lock.active}</td><td>gauge: leases that are held</td></tr>
 * <tr><td>{@code hasp.renewal.delay}</td><td>timer: from the due moment of a renewal to its confirmation</td></tr>
 * </table>
 *
 * <p>The timers have buckets from 1 ms to 1 min, for percentiles. Lock names are not a tag, because there may be
 * millions of them; {@link Builder#lockTag} maps them to a few values.
 *
 * <p>Thread-safe. Its meters are registered when it is created, and stay in the registry. Create one for each registry
 * and set of tags: the registry ignores the gauges of a second one.
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
     * Creates metrics without additional tags.
     *
     * @param registry receives the meters
     * @return a listener for one or more clients
     */
    public static LockMetrics on(MeterRegistry registry) {
        return builder(registry).build();
    }

    /**
     * Creates metrics with tags.
     *
     * @param registry receives the meters
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
         * Adds tags to every meter, such as {@code client} in a program with several clients.
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
         * @param keysAndValues keys and values in pairs
         * @return this builder
         */
        public Builder tags(String... keysAndValues) {
            tags = tags.and(keysAndValues);
            return this;
        }

        /**
         * Adds the tag {@code lock} to every meter, with a function of the lock's name as its value. Each value costs
         * about 90 time series, which stay for the registry's life. So the function must map all names to few values,
         * such as {@code orders/42} to {@code orders}.
         *
         * @param groupOf must be quick, and give the same value for the same name; called for each event. Null means
         *     {@code other}
         * @return this builder
         */
        public Builder lockTag(Function<String, @Nullable String> groupOf) {
            this.groupOf = groupOf;
            return this;
        }

        /**
         * Registers the meters. With a {@link #lockTag}, the meters of each value are registered at its first event.
         *
         * @return a listener for one or more clients
         */
        public LockMetrics build() {
            return new LockMetrics(this);
        }
    }

    /** Returns true: meters count without blocking. */
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
