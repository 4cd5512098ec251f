package io.hasp;

import io.hasp.spi.Capabilities;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a client behaves, whatever its backend. Immutable. In a URI the durations are parameters of the same names,
 * such as {@code redis://127.0.0.1?lease=10s&unavailableAfter=5s}; the URI wins.
 *
 * @param lease how long the server keeps a lock without renewal, for locks that are renewed automatically: the time after
 *     which a crashed holder's lock is free again, where a lease and not a session is enforced
 * @param unavailableAfter how long {@code acquire()} keeps trying during an outage before it fails
 * @param maxHold caps automatic renewal of every lock that has no cap of its own
 * @param handOff how often a lock is passed on between this client's own waiters; in a URI {@code handOff} (times, 0 for
 *     off) and {@code handOffWithin} (a duration)
 * @param ordering what the program relies on: {@code FIFO} serves clients strictly in the order in which they came, so it
 *     switches hand-off off, and fails at once on a backend that does not declare it; in a URI {@code ordering=fifo}
 * @param listener told what happens; empty means nobody, at no cost
 * @param timing the clock and scheduler; empty means the system's
 * @param executor where requests that may block are made, futures complete, and observers and the listener are told; empty
 *     means own daemon threads. It must not run tasks on the thread that hands them over, and must not be starved by the user's
 *     own work. Renewals have threads of their own, unless {@code timing} is given as well: whoever gives both decides every step
 */
public record ClientOptions(
        Duration lease,
        Duration unavailableAfter,
        Optional<Duration> maxHold,
        HandOff handOff,
        Capabilities.Ordering ordering,
        Optional<LockListener> listener,
        Optional<Timing> timing,
        Optional<Executor> executor) {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /**
     * Checks what it can.
     *
     * @throws InvalidArgumentException naming the value and the rule
     */
    public ClientOptions {
        Durations.lease("lease", lease);
        Durations.positive("unavailableAfter", unavailableAfter);
        maxHold.ifPresent(value -> Durations.lease("maxHold", value));
        required("handOff", handOff);
        required("ordering", ordering);
    }

    private static void required(String what, @Nullable Object value) {
        if (value == null) {
            throw new InvalidArgumentException(what + " is null");
        }
    }

    /**
     * A lease of 30 seconds, failing after 30 seconds of outage, no cap, the system's clock, own threads.
     *
     * @return the default options
     */
    public static ClientOptions defaults() {
        return new ClientOptions(
                LEASE,
                LEASE,
                Optional.empty(),
                HandOff.defaults(),
                Capabilities.Ordering.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Another lease for automatically renewed locks.
     *
     * @param lease 10 ms to 365 days
     * @return new options, with {@code unavailableAfter} the same as the lease
     * @throws InvalidArgumentException if out of that range
     */
    public ClientOptions lease(Duration lease) {
        return new ClientOptions(
                lease, Durations.lease("lease", lease), maxHold, handOff, ordering, listener, timing, executor);
    }

    /**
     * Another patience during an outage.
     *
     * @param unavailableAfter positive
     * @return new options
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions unavailableAfter(Duration unavailableAfter) {
        return new ClientOptions(lease, unavailableAfter, maxHold, handOff, ordering, listener, timing, executor);
    }

    /**
     * Caps automatic renewal.
     *
     * @param maxHold 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public ClientOptions maxHold(Duration maxHold) {
        return new ClientOptions(
                lease, unavailableAfter, Optional.of(maxHold), handOff, ordering, listener, timing, executor);
    }

    /**
     * Other bounds for passing a lock on between this client's own waiters.
     *
     * @param handOff the bounds, or {@link HandOff#off()}
     * @return new options
     */
    public ClientOptions handOff(HandOff handOff) {
        return new ClientOptions(lease, unavailableAfter, maxHold, handOff, ordering, listener, timing, executor);
    }

    /**
     * Another order between clients.
     *
     * @param ordering what the program relies on
     * @return new options
     */
    public ClientOptions ordering(Capabilities.Ordering ordering) {
        return new ClientOptions(lease, unavailableAfter, maxHold, handOff, ordering, listener, timing, executor);
    }

    /** The bounds that apply: none of the lock's own order is kept while it stays with one client. */
    HandOff effectiveHandOff() {
        return ordering == Capabilities.Ordering.FIFO ? HandOff.off() : handOff;
    }

    /**
     * Somebody to tell.
     *
     * @param listener told what happens to the locks of the client
     * @return new options
     */
    public ClientOptions listener(LockListener listener) {
        return new ClientOptions(
                lease, unavailableAfter, maxHold, handOff, ordering, Optional.of(listener), timing, executor);
    }

    /**
     * Another clock and scheduler.
     *
     * @param timing used for every wait and lease
     * @return new options
     */
    public ClientOptions timing(Timing timing) {
        return new ClientOptions(
                lease, unavailableAfter, maxHold, handOff, ordering, listener, Optional.of(timing), executor);
    }

    /**
     * Other threads for work that may block.
     *
     * @param executor as above
     * @return new options
     */
    public ClientOptions executor(Executor executor) {
        return new ClientOptions(
                lease, unavailableAfter, maxHold, handOff, ordering, listener, timing, Optional.of(executor));
    }
}
