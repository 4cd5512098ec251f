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
 * Sets the behavior of a client on any backend: start with the defaults and add options, such as
 * {@code ClientOptions.defaults().renewedLease(Duration.ofSeconds(10))}. Each method returns new options; their order never matters.
 * Immutable. In a URI, most options are parameters of the same names, such as
 * {@code redis://127.0.0.1?renewedLease=10s&unavailableAfter=5s}; the URI wins.
 */
public final class ClientOptions {
    private static final Duration USUAL_CLOSE = Duration.ofSeconds(30);
    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);
    /** A client that dies while it keeps a lock costs others the rest of the lease. */
    private static final Duration USUAL_LEASE_IF_KEPT = Duration.ofSeconds(10);

    /** The least ratio of a lease to the time for which a lock is kept. */
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
        private @Nullable String label;

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
                    connect,
                    label);
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
     * Returns the default options: a renewed lease of 30 seconds, failure after an outage of the same length, no max hold, no kept locks,
     * work that goes on after a loss, no listener, the system's clock, own threads.
     *
     * @return the default options
     */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the time for which the server keeps a lock without renewal. It applies to all locks without a {@link LockOptions#fixedLease},
     * which are renewed for as long as they are held. Where the server enforces a lease and not a session, a crashed holder's lock is free
     * after this time. In a URI {@code renewedLease}.
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
     * Sets the length of an outage after which {@code acquire()} fails. In a URI {@code unavailableAfter}.
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
     * Caps the time for which a lock is held, for every lock without a cap of its own. In a URI {@code maxHold}.
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
     * Enables the hand-off of a lock between this client's own waiters: at most 255 times and for 20 ms in a row, before other clients have
     * their turn. A hand-off needs no round trip to the server; each holder gets a lease of its own and a larger fencing token. A client
     * with k clients before it waits at most (k + 1) × (20 ms + the longest hold). Enabled by default, and always disabled with
     * {@link Ordering#FIFO}.
     *
     * <p>Released permits of a semaphore go to the first waiter that requests the same number. Read-write locks and locks with a fixed
     * lease are not handed off. There is no hand-off to a waiter with another renewed lease or label, nor while a lease is SUSPECT.
     *
     * @param passesOn false sends every release to the server
     * @return new options
     */
    public ClientOptions handOff(boolean passesOn) {
        return with(next -> next.handOff = passesOn);
    }

    /**
     * Sets the order between clients on which the program relies. {@code FIFO} serves clients strictly first come, first served: it
     * disables the hand-off, and a client on a backend without this capability fails at once. In a URI {@code ordering=fifo}.
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
     * Adds a listener to those that were added before. Each listener receives all events in their order; a listener that blocks or throws
     * does not delay the others.
     *
     * @param listener receives the events of the client's locks
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions addListener(LockListener listener) {
        List<LockListener> all = new ArrayList<>(set.listeners);
        all.add(required("listener", listener));
        List<LockListener> checked = List.copyOf(all);
        return with(next -> next.listeners = checked);
    }

    /**
     * Replaces the system's clock and scheduler.
     *
     * @param clock measures every wait and lease
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions timing(ClientTiming clock) {
        ClientTiming checked = required("timing", clock);
        return with(next -> next.timing = checked);
    }

    /**
     * Replaces the client's own daemon threads for the requests of asynchronous calls, the completion of futures, and observers and
     * listeners. Renewals, interrupts and repeated releases have threads of their own, unless {@link #timing} is given as well: a program
     * that gives both decides every step.
     *
     * <p>An executor that blocks, rejects a task or runs it on the calling thread delays no renewal, interrupt or end of a lease. A
     * rejected task is retried. An executor must not drop tasks: futures whose task was dropped complete only when the client is closed.
     *
     * @param threads should not run tasks on the calling thread, and must not be starved by the user's own work
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions executor(Executor threads) {
        Executor checked = required("executor", threads);
        return with(next -> next.executor = checked);
    }

    /**
     * Keeps a lock after its release, if no caller waits for it, for the next use by this client: the next acquisition then needs no round
     * trip. It is a new lease with a larger token. When another client requests the lock, the server recalls it, and this client releases
     * it at once, or after its present use. Disabled by default. In a URI {@code keep}.
     *
     * <p>A client that dies while it keeps a lock costs others the rest of its lease, although it did not use the lock. So the lease is at
     * least three times as long as this time, and 10 seconds instead of 30 unless it is set. Locks with a fixed lease, read-write locks and
     * semaphores are never kept, nor are locks that clients use in turn.
     *
     * <p>A client is refused when it is created, if its {@link #renewedLease} is shorter than three times this time, if {@link #ordering}
     * is FIFO, because a kept lock overtakes waiters of other clients, or if its backend does not offer {@link LockCapabilities#keptLocks}.
     *
     * @param atMost the longest time without a use; positive
     * @return new options
     * @throws InvalidArgumentException if not positive
     */
    public ClientOptions keep(Duration atMost) {
        Duration checked = Durations.positive("keep", atMost);
        return with(next -> next.keep = checked);
    }

    /**
     * Sets the reaction of work to the loss of its lease, for every lock without a reaction of its own. In a URI {@code onLoss}:
     * {@code interrupt} or {@code continue}.
     *
     * @param then interrupt the work, or let it continue
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
     * @param longest zero or more; with zero, {@code close()} does not wait for work. 30 seconds by default
     * @return new options
     * @throws InvalidArgumentException if negative or null
     */
    public ClientOptions closeWithin(Duration longest) {
        Duration checked = Durations.notNegative("closeWithin", longest);
        return with(next -> next.closeWithin = checked);
    }

    /**
     * Sets the moment of the first connection: the creation of the client, or its first use. In a URI {@code connect}: {@code eager} or
     * {@code lazy}. A client with {@link Connect#LAZY} is refused if its backend does not offer late connections.
     *
     * @param when {@link Connect#LAZY} for a program that starts before its service
     * @return new options
     * @throws InvalidArgumentException if null
     */
    public ClientOptions connect(Connect when) {
        Connect checked = required("connect", when);
        return with(next -> next.connect = checked);
    }

    /**
     * Names this client for people, such as {@code "orders-7f9c"}. The server stores the label with each lock and each place in a queue, and
     * {@link LockClient#inspector} shows it. It need not be unique: an instance's name, such as that of its pod, is a good one. In a URI
     * {@code label}.
     *
     * @param label 1 to 128 characters, not blank, without control characters; it is no secret
     * @return new options
     * @throws InvalidArgumentException if null, or against the rule
     */
    public ClientOptions label(String label) {
        String checked = Labels.checked("the label of a client", label);
        return with(next -> next.label = checked);
    }

    /**
     * Returns the time for which the server keeps a lock without renewal.
     *
     * @return the value that was set; else 30 seconds, or 10 if locks are {@linkplain #keep kept}
     */
    public Duration renewedLease() {
        if (set.renewedLease != null) {
            return set.renewedLease;
        }
        return set.keep == null ? USUAL_LEASE : USUAL_LEASE_IF_KEPT;
    }

    /**
     * Returns the length of an outage after which {@code acquire()} fails.
     *
     * @return the value that was set, or the renewed lease
     */
    public Duration unavailableAfter() {
        return set.unavailableAfter != null ? set.unavailableAfter : renewedLease();
    }

    /**
     * Returns the cap for locks without a cap of their own.
     *
     * @return empty if there is none
     */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(set.maxHold);
    }

    /**
     * Returns true if hand-off is enabled. With {@code FIFO} ordering there is none in either case.
     *
     * @return the value that was set, or true
     */
    public boolean handOff() {
        return set.handOff;
    }

    boolean handsOff() {
        return set.handOff && set.ordering != Ordering.FIFO;
    }

    /**
     * Returns the order between clients on which the program relies.
     *
     * @return the order
     */
    public Ordering ordering() {
        return set.ordering;
    }

    /**
     * Returns the listeners.
     *
     * @return unmodifiable, in the order in which they were added; empty, the default, costs nothing
     */
    public List<LockListener> listeners() {
        return set.listeners;
    }

    /**
     * Returns the clock and the scheduler.
     *
     * @return empty for the system's
     */
    public Optional<ClientTiming> timing() {
        return Optional.ofNullable(set.timing);
    }

    /**
     * Returns the threads for blocking requests, futures, observers and listeners.
     *
     * @return empty for the client's own
     */
    public Optional<Executor> executor() {
        return Optional.ofNullable(set.executor);
    }

    /**
     * Returns the longest time for which a lock is kept without a use.
     *
     * @return empty if locks are not kept
     */
    public Optional<Duration> keep() {
        return Optional.ofNullable(set.keep);
    }

    /**
     * Returns the reaction of work to the loss of its lease, for locks without a reaction of their own.
     *
     * @return the value that was set, or {@link OnLoss#CONTINUE}
     */
    public OnLoss onLoss() {
        return set.onLoss;
    }

    /**
     * Returns the longest time that {@link LockClient#close()} waits for work under the client's locks.
     *
     * @return the value that was set, or 30 seconds
     */
    public Duration closeWithin() {
        return set.closeWithin;
    }

    /**
     * Returns the moment of the first connection.
     *
     * @return the value that was set, or {@link Connect#EAGER}
     */
    public Connect connect() {
        return set.connect;
    }

    /**
     * Returns the client's name for people.
     *
     * @return the value that was set, or the host and the process id
     */
    public String label() {
        return set.label != null ? set.label : HostAndProcess.label();
    }

    /** Checks the rules that concern several options. */
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

    /** Options are equal if the same values were set. */
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
                + ", closeWithin " + set.closeWithin + ", connect " + set.connect
                + (set.label == null ? "]" : ", label " + set.label + "]");
    }

    private static String orElse(@Nullable Duration set, String none) {
        return set == null ? none : set.toString();
    }
}
