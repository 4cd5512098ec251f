package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a client behaves, whatever its backend: a start and withers, such as
 * {@code ClientOptions.defaults().renewedLease(Duration.ofSeconds(10))}. Immutable. The order in which options are given never
 * matters. In a URI most are parameters of the same names, such as
 * {@code redis://127.0.0.1?renewedLease=10s&unavailableAfter=5s}; the URI wins.
 */
public final class ClientOptions {
    private static final Duration USUAL_CLOSE = Duration.ofSeconds(30);
    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);
    /** A client that dies while it keeps a lock costs others the rest of the lease. */
    private static final Duration USUAL_LEASE_IF_KEPT = Duration.ofSeconds(10);

    /** How many times longer than the time for which a lock is kept a lease is at least. */
    private static final int LEASE_TO_KEEP = 3;

    private static final ClientOptions DEFAULTS = new ClientOptions(new Settings());

    private final Settings set;

    /** Changed only before it belongs to options. */
    private static final class Settings implements Cloneable {
        private @Nullable Duration renewedLease;
        private @Nullable Duration unavailableAfter;
        private @Nullable Duration maxHold;
        private boolean handOff = true;
        private Ordering ordering = Ordering.NONE;
        private List<LockListener> listeners = List.of();
        private @Nullable ClientTiming timing;
        private @Nullable Executor executor;
        private @Nullable Duration keep;
        private OnLoss onLoss = OnLoss.CONTINUE;
        private Duration closeWithin = USUAL_CLOSE;
        private Connect connect = Connect.EAGER;

        @Override
        protected Settings clone() {
            try {
                return (Settings) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
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
                    onLoss,
                    closeWithin,
                    connect);
        }
    }

    private ClientOptions(Settings set) {
        this.set = set;
    }

    private ClientOptions with(Consumer<Settings> change) {
        Settings changed = set.clone();
        change.accept(changed);
        return new ClientOptions(changed);
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
        Duration checked = Durations.lease("renewedLease", lease);
        return with(next -> next.renewedLease = checked);
    }

    /**
     * Another patience during an outage, for {@code acquire()}. In a URI {@code unavailableAfter}.
     *
     * @param patience positive
     * @return new options
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions unavailableAfter(Duration patience) {
        Duration checked = Durations.positive("unavailableAfter", patience);
        return with(next -> next.unavailableAfter = checked);
    }

    /**
     * Caps how long a lock is held, for every lock that has no cap of its own. In a URI {@code maxHold}.
     *
     * @param most 10 ms to 365 days
     * @return new options
     * @throws InvalidArgumentException if out of that range
     */
    public ClientOptions maxHold(Duration most) {
        Duration checked = Durations.lease("maxHold", most);
        return with(next -> next.maxHold = checked);
    }

    /**
     * Sets whether this client passes a lock on between its own waiters, at most 255 times and for 20 ms in a row, before other clients have
     * their turn. Passing on needs no round trip to the server; each holder gets a lease of its own and a larger fencing token. A client
     * with k clients before it waits at most (k + 1) × (20 ms + the longest hold). On unless this is set, and off with
     * {@link Ordering#FIFO}.
     *
     * <p>Permits of a semaphore are passed on to the first that waits for as many. Read-write locks are not passed on, nor are locks with a
     * fixed lease, nor a lock to a waiter with another renewed lease, nor while a lease is SUSPECT.
     *
     * @param passesOn false sends every release to the server
     * @return new options
     */
    public ClientOptions handOff(boolean passesOn) {
        return with(next -> next.handOff = passesOn);
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
        Ordering checked = required("ordering", between);
        return with(next -> next.ordering = checked);
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
        List<LockListener> all = new ArrayList<>(set.listeners);
        all.add(required("listener", told));
        List<LockListener> checked = List.copyOf(all);
        return with(next -> next.listeners = checked);
    }

    /**
     * Another clock and scheduler than the system's.
     *
     * @param clock used for every wait and lease
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions timing(ClientTiming clock) {
        ClientTiming checked = required("timing", clock);
        return with(next -> next.timing = checked);
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
        Executor checked = required("executor", threads);
        return with(next -> next.executor = checked);
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
        Duration checked = Durations.positive("keep", atMost);
        return with(next -> next.keep = checked);
    }

    /**
     * What happens to work under a lock whose lease is lost, for every lock whose own options don't say it. In a URI {@code onLoss}:
     * {@code interrupt} or {@code continue}.
     *
     * @param then whether the work is interrupted
     * @return new options
     * @throws InvalidArgumentException if null or {@link OnLoss#CLIENT}
     */
    public ClientOptions onLoss(OnLoss then) {
        if (required("onLoss", then) == OnLoss.CLIENT) {
            throw new InvalidArgumentException(
                    "onLoss is CLIENT: the options of a client must be CONTINUE or INTERRUPT");
        }
        return with(next -> next.onLoss = then);
    }

    /**
     * Limits the time that {@link LockClient#close()} waits for work under the client's locks.
     *
     * @param longest zero or more; with zero, {@code close()} does not wait for work. 30 seconds unless set
     * @return new options
     * @throws InvalidArgumentException if negative or null
     */
    public ClientOptions closeWithin(Duration longest) {
        Duration checked = Durations.notNegative("closeWithin", longest);
        return with(next -> next.closeWithin = checked);
    }

    /**
     * When the client connects: as it is made, or when it is used. In a URI {@code connect}: {@code eager} or {@code lazy}.
     *
     * @param when {@link Connect#LAZY} for a program that starts before its service
     * @return new options. A client is refused if it is to connect lazily and its backend does not offer this
     * @throws InvalidArgumentException if null
     */
    public ClientOptions connect(Connect when) {
        Connect checked = required("connect", when);
        return with(next -> next.connect = checked);
    }

    /**
     * How long the server keeps a lock that is renewed, without renewal.
     *
     * @return what was set; else 30 seconds, or 10 if locks are {@linkplain #keep kept}
     */
    public Duration renewedLease() {
        if (set.renewedLease != null) {
            return set.renewedLease;
        }
        return set.keep == null ? USUAL_LEASE : USUAL_LEASE_IF_KEPT;
    }

    /**
     * How long {@code acquire()} keeps trying during an outage before it fails.
     *
     * @return what was set, or as long as the renewed lease
     */
    public Duration unavailableAfter() {
        return set.unavailableAfter != null ? set.unavailableAfter : renewedLease();
    }

    /**
     * After which time the leases of locks without a cap of their own end.
     *
     * @return empty if there is none
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(set.maxHold);
    }

    /**
     * Whether a lock is passed on between this client's own waiters. With {@code FIFO} ordering it is not, whatever is set.
     *
     * @return what was set, or true
     */
    public boolean handOff() {
        return set.handOff;
    }

    /** A lock is passed on, unless its order between clients forbids that. */
    boolean handsOff() {
        return set.handOff && set.ordering != Ordering.FIFO;
    }

    /**
     * What the program relies on between clients.
     *
     * @return the order
     */
    public Ordering ordering() {
        return set.ordering;
    }

    /**
     * Who is told what happens.
     *
     * @return unmodifiable, in the order in which they were given; empty means nobody, at no cost
     */
    public List<LockListener> listeners() {
        return set.listeners;
    }

    /**
     * The clock and the scheduler.
     *
     * @return empty means the system's
     */
    public Optional<ClientTiming> timing() {
        return Optional.ofNullable(set.timing);
    }

    /**
     * The threads for requests that may block, futures, observers and listeners.
     *
     * @return empty means the client's own
     */
    public Optional<Executor> executor() {
        return Optional.ofNullable(set.executor);
    }

    /**
     * For how long a lock is kept after its release without a use.
     *
     * @return empty if it is not
     */
    public Optional<Duration> keep() {
        return Optional.ofNullable(set.keep);
    }

    /**
     * What happens to work under a lock whose lease is lost, unless the lock's own options say it.
     *
     * @return what was set, or {@link OnLoss#CONTINUE}
     */
    public OnLoss onLoss() {
        return set.onLoss;
    }

    /**
     * The longest time that {@link LockClient#close()} waits for work under the client's locks.
     *
     * @return what was set, or 30 seconds
     */
    public Duration closeWithin() {
        return set.closeWithin;
    }

    /**
     * When the client connects.
     *
     * @return what was set, or {@link Connect#EAGER}
     */
    public Connect connect() {
        return set.connect;
    }

    /**
     * Checks what no single option can.
     *
     * @throws InvalidArgumentException naming the values and the rule
     */
    void check() {
        Duration keep = set.keep;
        if (keep == null) {
            return;
        }
        if (set.ordering == Ordering.FIFO) {
            throw new InvalidArgumentException(
                    "keep is " + keep
                            + " and ordering is FIFO: a kept lock may be used again before another client that waits, so only one of them can be set");
        }
        if (keep.compareTo(renewedLease().dividedBy(LEASE_TO_KEEP)) > 0) {
            throw new InvalidArgumentException(
                    "keep is " + keep + ": it must be at most a third of renewedLease, which is " + renewedLease());
        }
    }

    /** Options are equal if the same was set. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientOptions that && set.all().equals(that.set.all());
    }

    @Override
    public int hashCode() {
        return set.all().hashCode();
    }

    /** Names the durations and the order, for logs. */
    @Override
    public String toString() {
        return "ClientOptions[renewedLease " + renewedLease() + ", unavailableAfter " + unavailableAfter()
                + ", maxHold " + orElse(set.maxHold, "none")
                + ", handOff " + set.handOff
                + ", ordering " + set.ordering + ", keep " + orElse(set.keep, "off") + ", onLoss " + set.onLoss
                + ", closeWithin " + set.closeWithin + ", connect " + set.connect + "]";
    }

    private static String orElse(@Nullable Duration set, String none) {
        return set == null ? none : set.toString();
    }
}
