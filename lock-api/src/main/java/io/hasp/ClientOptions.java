package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.EngineSettings;
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
    private static final Duration USUAL_CLOSE = Duration.ofSeconds(30);
    private static final ClientOptions DEFAULTS = new ClientOptions(
            null,
            null,
            null,
            HandOff.defaults(),
            Ordering.NONE,
            List.of(),
            null,
            null,
            null,
            null,
            OnLoss.CONTINUE,
            USUAL_CLOSE,
            Connect.EAGER);

    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);
    /** A client that dies while it keeps a lock costs others the rest of the lease. */
    private static final Duration USUAL_LEASE_IF_KEPT = Duration.ofSeconds(10);

    private static final Duration USUAL_RECALL = Duration.ofNanos(EngineSettings.USUAL_RECALL);
    /** How many times longer than the time for which a lock is kept a lease is at least. */
    private static final int LEASE_TO_KEEP = 3;

    private final @Nullable Duration renewedLease;
    private final @Nullable Duration unavailableAfter;
    private final @Nullable Duration maxHold;
    private final HandOff handOff;
    private final Ordering ordering;
    private final List<LockListener> listeners;
    private final @Nullable ClientTiming timing;
    private final @Nullable Executor executor;
    private final @Nullable Duration keep;
    private final @Nullable Duration recallWithin;
    private final OnLoss onLoss;
    private final Duration closeWithin;
    private final Connect connect;

    private ClientOptions(
            @Nullable Duration renewedLease,
            @Nullable Duration unavailableAfter,
            @Nullable Duration maxHold,
            HandOff handOff,
            Ordering ordering,
            List<LockListener> listeners,
            @Nullable ClientTiming timing,
            @Nullable Executor executor,
            @Nullable Duration keep,
            @Nullable Duration recallWithin,
            OnLoss onLoss,
            Duration closeWithin,
            Connect connect) {
        this.renewedLease = renewedLease;
        this.unavailableAfter = unavailableAfter;
        this.maxHold = maxHold;
        this.handOff = handOff;
        this.ordering = ordering;
        this.listeners = listeners;
        this.timing = timing;
        this.executor = executor;
        this.keep = keep;
        this.recallWithin = recallWithin;
        this.onLoss = onLoss;
        this.closeWithin = closeWithin;
        this.connect = connect;
    }

    /**
     * A renewed lease of 30 seconds, failing after as long an outage, no cap, nothing kept, work that goes on after a loss, nobody to tell, the system's clock, own
     * threads.
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
    }

    /**
     * Somebody more to tell, beside the listeners that were given before. Each is told all events in their order; one that blocks or
     * throws holds up nobody else's.
     *
     * @param told told what happens to the locks of the client
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions addListener(LockListener told) {
        List<LockListener> all = new ArrayList<>(listeners);
        all.add(required("listener", told));
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                List.copyOf(all),
                timing,
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
    }

    /**
     * Other threads than the client's own daemon threads, for the requests of asynchronous calls, the completion of futures, and observers
     * and listeners. Renewals, interrupts and releases that are repeated have threads of their own, unless {@link #timing} is given as well: a
     * program that gives both decides every step.
     *
     * <p>An executor that blocks, rejects or runs a task on the spot delays no renewal, interrupt or end of a lease. A rejected task is tried
     * again. An executor must not drop tasks: futures whose task was dropped complete only when the client is closed.
     *
     * @param threads should not run tasks on the thread that hands them over, and must not be starved by the user's own work
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
                required("executor", threads),
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
    }

    /**
     * Keeps a lock after its release, if nobody waits for it, in case this client needs it again soon: the next acquisition then takes
     * no round trip. It is a new lease with a larger token. When another client asks for the lock, the server tells this one, which
     * gives it back at once, or after its present use. Off unless this is set. In a URI {@code keep}.
     *
     * <p>A client that dies while it keeps a lock costs others the rest of its lease, although it did not use the lock. So the lease is
     * at least three times as long as this, and 10 seconds instead of 30 unless it is set. Locks with a fixed lease, read-write locks
     * and semaphores are never kept, nor are locks that wander between clients.
     *
     * @param atMost how long a lock is kept without a use; positive, and at most a third of the lease
     * @return new options. A client is refused if its {@link #renewedLease} is shorter than three times this, if {@link #ordering} is
     *     FIFO, because a kept lock passes those who wait elsewhere, and if its backend does not offer this
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions keep(Duration atMost) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                Durations.positive("keep", atMost),
                recallWithin,
                onLoss,
                closeWithin,
                connect);
    }

    /**
     * Another patience of an attempt without a wait, such as {@code tryAcquire()}, if the holder is a client that {@linkplain #keep
     * keeps} locks: the attempt asks again for so long, to learn whether the lock is in use. Matters whether or not this client keeps
     * locks itself. In a URI {@code recallWithin}.
     *
     * @param patience positive; 40 ms unless set
     * @return new options
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions recallWithin(Duration patience) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                keep,
                Durations.positive("recallWithin", patience),
                onLoss,
                closeWithin,
                connect);
    }

    /**
     * What happens to work under a lock whose lease is lost, for every lock whose own options don't say it. In a URI {@code onLoss}:
     * {@code interrupt} or {@code continue}.
     *
     * @param then whether the work is interrupted
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions onLoss(OnLoss then) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                keep,
                recallWithin,
                required("onLoss", then),
                closeWithin,
                connect);
    }

    /**
     * Limits the time that {@link LockClient#close()} waits for work under the client's locks. In a URI {@code closeWithin}.
     *
     * @param longest zero or more; with zero, {@code close()} does not wait for work. 30 seconds unless set
     * @return new options
     * @throws InvalidArgumentException if negative or null
     */
    public ClientOptions closeWithin(Duration longest) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                keep,
                recallWithin,
                onLoss,
                Durations.notNegative("closeWithin", longest),
                connect);
    }

    /**
     * When the client connects: as it is made, or when it is used. In a URI {@code connect}: {@code eager} or {@code lazy}.
     *
     * @param when {@link Connect#LAZY} for a program that starts before its service
     * @return new options. A client is refused if it is to connect lazily and its backend does not offer this
     * @throws InvalidArgumentException if null
     */
    public ClientOptions connect(Connect when) {
        return new ClientOptions(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                required("connect", when));
    }

    /**
     * How long the server keeps a lock that is renewed, without renewal.
     *
     * @return what was set; else 30 seconds, or 10 if locks are {@linkplain #keep kept}
     */
    public Duration renewedLease() {
        if (renewedLease != null) {
            return renewedLease;
        }
        return keep == null ? USUAL_LEASE : USUAL_LEASE_IF_KEPT;
    }

    /**
     * How long {@code acquire()} keeps trying during an outage before it fails.
     *
     * @return what was set, or as long as the renewed lease
     */
    public Duration unavailableAfter() {
        return unavailableAfter != null ? unavailableAfter : renewedLease();
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

    /**
     * For how long a lock is kept after its release without a use.
     *
     * @return empty if it is not
     */
    public Optional<Duration> keep() {
        return Optional.ofNullable(keep);
    }

    /**
     * How long an attempt without a wait asks for a lock that another client may only keep.
     *
     * @return what was set, or 40 ms
     */
    public Duration recallWithin() {
        return recallWithin == null ? USUAL_RECALL : recallWithin;
    }

    /**
     * What happens to work under a lock whose lease is lost, unless the lock's own options say it.
     *
     * @return what was set, or {@link OnLoss#CONTINUE}
     */
    public OnLoss onLoss() {
        return onLoss;
    }

    /**
     * The longest time that {@link LockClient#close()} waits for work under the client's locks.
     *
     * @return what was set, or 30 seconds
     */
    public Duration closeWithin() {
        return closeWithin;
    }

    /**
     * When the client connects.
     *
     * @return what was set, or {@link Connect#EAGER}
     */
    public Connect connect() {
        return connect;
    }

    /**
     * Checks what no single option can.
     *
     * @throws InvalidArgumentException naming the values and the rule
     */
    void check() {
        if (keep == null) {
            return;
        }
        if (ordering == Ordering.FIFO) {
            throw new InvalidArgumentException(
                    "keep is " + keep
                            + " and ordering is FIFO: a kept lock may be used again before another client that waits, so only one of them can be set");
        }
        if (keep.compareTo(renewedLease().dividedBy(LEASE_TO_KEEP)) > 0) {
            throw new InvalidArgumentException(
                    "keep is " + keep + ": it must be at most a third of renewedLease, which is " + renewedLease());
        }
    }

    private List<@Nullable Object> all() {
        return Arrays.asList(
                renewedLease,
                unavailableAfter,
                maxHold,
                handOff,
                ordering,
                listeners,
                timing,
                executor,
                keep,
                recallWithin,
                onLoss,
                closeWithin,
                connect);
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
        return "ClientOptions[renewedLease " + renewedLease() + ", unavailableAfter " + unavailableAfter()
                + ", maxHold "
                + (maxHold == null ? "none" : maxHold) + ", handOff " + handOff.most() + " within " + handOff.within()
                + ", ordering " + ordering + ", keep " + (keep == null ? "off" : keep) + ", onLoss " + onLoss
                + ", closeWithin " + closeWithin + ", connect " + connect + "]";
    }
}
