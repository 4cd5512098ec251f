package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a client behaves, whatever its backend: a start and withers, such as
 * {@code ClientOptions.defaults().renewedLease(Duration.ofSeconds(10))}. Immutable. The order in which options are given never
 * matters. In a URI most are parameters of the same names, such as
 * {@code redis://127.0.0.1?renewedLease=10s&unavailableAfter=5s}; the URI wins.
 */
public final class ClientOptions {
    private static final ClientOptions DEFAULTS = new ClientOptions(
            Duration.ofSeconds(30), null, null, HandOff.defaults(), Ordering.NONE, List.of(), null, null);

    private final Duration renewedLease;
    private final @Nullable Duration unavailableAfter;
    private final @Nullable Duration maxHold;
    private final HandOff handOff;
    private final Ordering ordering;
    private final List<LockListener> listeners;
    private final @Nullable ClientTiming timing;
    private final @Nullable Executor executor;

    private ClientOptions(
            Duration renewedLease,
            @Nullable Duration unavailableAfter,
            @Nullable Duration maxHold,
            HandOff handOff,
            Ordering ordering,
            List<LockListener> listeners,
            @Nullable ClientTiming timing,
            @Nullable Executor executor) {
        this.renewedLease = renewedLease;
        this.unavailableAfter = unavailableAfter;
        this.maxHold = maxHold;
        this.handOff = handOff;
        this.ordering = ordering;
        this.listeners = listeners;
        this.timing = timing;
        this.executor = executor;
    }

    /**
     * A renewed lease of 30 seconds, failing after as long an outage, no cap, nobody to tell, the system's clock, own threads.
     *
     * @return the default options
     */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Another lease for the locks that are renewed for as long as they are held, which is all but those with
     * {@link LockOptions#fixedLease}: how long the server keeps a lock without renewal, and so the time after which a crashed
     * holder's lock is free again, where a lease and not a session is enforced. In a URI {@code renewedLease}.
     *
     * @param lease 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public ClientOptions renewedLease(Duration lease) {
        return new ClientOptions(
                Durations.lease("renewedLease", lease),
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor);
    }

    /**
     * Another patience during an outage, for {@code acquire()}. In a URI {@code unavailableAfter}.
     *
     * @param patience positive
     * @return new options
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions unavailableAfter(Duration patience) {
        return new ClientOptions(
                renewedLease,
                Durations.positive("unavailableAfter", patience),
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor);
    }

    /**
     * Caps how long a lock is held, for every lock that has no cap of its own. In a URI {@code maxHold}.
     *
     * @param most 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public ClientOptions maxHold(Duration most) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                Durations.lease("maxHold", most),
                handOff,
                ordering,
                listeners,
                timing,
                executor);
    }

    /**
     * Other bounds for passing a lock on between this client's own waiters. In a URI {@code handOff} (times, 0 for off) and
     * {@code handOffWithin} (a duration).
     *
     * @param bounds the bounds, or {@link HandOff#off()}
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions handOff(HandOff bounds) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                required("handOff", bounds),
                ordering,
                listeners,
                timing,
                executor);
    }

    /**
     * What the program relies on: {@code FIFO} serves clients strictly in the order in which they came, so it switches hand-off
     * off, and fails at once on a backend that does not declare it. In a URI {@code ordering=fifo}.
     *
     * @param between the order between clients
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions ordering(Ordering between) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                required("ordering", between),
                listeners,
                timing,
                executor);
    }

    /**
     * Somebody more to tell, beside the listeners that were given before. Each is told all events in their order; one that blocks or
     * throws holds up nobody else's.
     *
     * @param told told what happens to the locks of the client
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions listener(LockListener told) {
        List<LockListener> all = new ArrayList<>(listeners);
        all.add(required("listener", told));
        return new ClientOptions(
                renewedLease, unavailableAfter, maxHold, handOff, ordering, List.copyOf(all), timing, executor);
    }

    /**
     * Another clock and scheduler than the system's.
     *
     * @param clock used for every wait and lease
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions timing(ClientTiming clock) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                required("timing", clock),
                executor);
    }

    /**
     * Other threads than the client's own daemon threads, for requests that may block, the completion of futures, and observers
     * and listeners. Renewals have threads of their own, unless {@link #timing} is given as well: a program that gives both
     * decides every step.
     *
     * @param threads must not run tasks on the thread that hands them over, and must not be starved by the user's own work
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions executor(Executor threads) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                required("executor", threads));
    }

    /**
     * How long the server keeps a lock that is renewed, without renewal.
     *
     * @return 10 ms to 365 days
     */
    public Duration renewedLease() {
        return renewedLease;
    }

    /**
     * How long {@code acquire()} keeps trying during an outage before it fails.
     *
     * @return what was set, or as long as the renewed lease
     */
    public Duration unavailableAfter() {
        return unavailableAfter != null ? unavailableAfter : renewedLease;
    }

    /**
     * After which time the leases of locks without a cap of their own end.
     *
     * @return empty if there is none
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /**
     * How often a lock is passed on between this client's own waiters. With {@code FIFO} ordering it is not, whatever is set.
     *
     * @return the bounds that were set
     */
    public HandOff handOff() {
        return handOff;
    }

    /** The bounds that apply: none of the lock's own order is kept while it stays with one client. */
    HandOff effectiveHandOff() {
        return ordering == Ordering.FIFO ? HandOff.off() : handOff;
    }

    /**
     * What the program relies on between clients.
     *
     * @return the order
     */
    public Ordering ordering() {
        return ordering;
    }

    /**
     * Who is told what happens.
     *
     * @return unmodifiable, in the order in which they were given; empty means nobody, at no cost
     */
    public List<LockListener> listeners() {
        return listeners;
    }

    /**
     * The clock and the scheduler.
     *
     * @return empty means the system's
     */
    public Optional<ClientTiming> timing() {
        return Optional.ofNullable(timing);
    }

    /**
     * The threads for requests that may block, futures, observers and listeners.
     *
     * @return empty means the client's own
     */
    public Optional<Executor> executor() {
        return Optional.ofNullable(executor);
    }

    private List<@Nullable Object> all() {
        return Arrays.asList(renewedLease, unavailableAfter, maxHold, handOff, ordering, listeners, timing, executor);
    }

    /** Options are equal if the same was set. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientOptions that && all().equals(that.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    /** Names the durations and the order, for logs. */
    @Override
    public String toString() {
        return "ClientOptions[renewedLease " + renewedLease + ", unavailableAfter " + unavailableAfter() + ", maxHold "
                + (maxHold == null ? "none" : maxHold) + ", handOff " + handOff.most() + " within " + handOff.within()
                + ", ordering " + ordering + "]";
    }
}
