package io.hasp.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a backend offers. Immutable. The conformance suite proves each declared capability; using an undeclared one throws.
 *
 * <p>Made by {@link #of} and changed by {@link #surviving}, {@link #sharing}, {@link #recalling}, {@link #retaining}, {@link #polling} and {@link #evicting}, so that a capability can be added without a change to a backend that
 * does not offer it.
 */
public final class Capabilities {
    private final Ordering ordering;
    private final Enforcement enforcement;
    private final Set<Survives> survives;
    private final boolean shares;
    private final boolean recalls;
    private final boolean evicts;
    private final boolean retains;
    private final boolean polls;
    private final @Nullable Duration longestKeep;

    private Capabilities(
            Ordering ordering,
            Enforcement enforcement,
            Set<Survives> survives,
            boolean shares,
            boolean recalls,
            boolean evicts,
            boolean retains,
            boolean polls,
            @Nullable Duration longestKeep) {
        this.ordering = ordering;
        this.enforcement = enforcement;
        this.survives = survives;
        this.shares = shares;
        this.recalls = recalls;
        this.evicts = evicts;
        this.retains = retains;
        this.polls = polls;
        this.longestKeep = longestKeep;
    }

    /**
     * What every backend declares; nothing is promised to survive.
     *
     * @param ordering in which order waiting clients get the lock
     * @param enforcement what ends a grant on the server when its client falls silent
     * @return the capabilities
     */
    public static Capabilities of(Ordering ordering, Enforcement enforcement) {
        return new Capabilities(ordering, enforcement, Set.of(), false, false, false, false, false, null);
    }

    /**
     * The same with events that a grant outlives, added to those that were declared before.
     *
     * @param events after which the server still keeps a grant, so that nobody else can get it
     * @return new capabilities
     */
    public Capabilities surviving(Survives... events) {
        EnumSet<Survives> all = EnumSet.noneOf(Survives.class);
        all.addAll(survives);
        all.addAll(List.of(events));
        return new Capabilities(
                ordering,
                enforcement,
                Collections.unmodifiableSet(all),
                shares,
                recalls,
                evicts,
                retains,
                polls,
                longestKeep);
    }

    /**
     * The same for a backend that grants any {@link Share}, not only exclusive ones: read-write locks and semaphores.
     *
     * @return new capabilities
     */
    public Capabilities sharing() {
        return new Capabilities(ordering, enforcement, survives, true, recalls, evicts, retains, polls, longestKeep);
    }

    /**
     * The same for a backend that recalls: whose grants may be {@linkplain Attempt.Granted#recallable recallable}, so that a client
     * can keep one that it does not use.
     *
     * @return new capabilities
     */
    public Capabilities recalling() {
        return new Capabilities(ordering, enforcement, survives, shares, true, evicts, retains, polls, null);
    }

    /**
     * The same for a backend with {@linkplain Enforcement#SESSION sessions}. What others lose if a client dies that keeps a lock is the
     * rest of its session, whatever lease was asked for.
     *
     * @param longestKeep a third of the session timeout: no client may keep for longer
     * @return new capabilities
     */
    public Capabilities recalling(Duration longestKeep) {
        return new Capabilities(ordering, enforcement, survives, shares, true, evicts, retains, polls, longestKeep);
    }

    /**
     * The same for a server that may throw a grant away to make room, or does not tell whether it does. Its holder is then refused at
     * the next renewal.
     *
     * @return new capabilities
     */
    public Capabilities evicting() {
        return new Capabilities(ordering, enforcement, survives, shares, recalls, true, retains, polls, longestKeep);
    }

    /**
     * The same for a backend that can {@linkplain LockBackend#retain leave a lock taken} for a time that it measures itself, whatever
     * becomes of the client: which ends each grant by its lease, and grants the whole lease of a claim that is not
     * {@linkplain Claim#renewed renewed}.
     *
     * @return new capabilities
     */
    public Capabilities retaining() {
        return new Capabilities(ordering, enforcement, survives, shares, recalls, evicts, true, polls, longestKeep);
    }

    /**
     * The same for a backend whose server sends no messages: a waiting client asks again and again, and no grant is
     * {@linkplain Attempt.Granted#recallable recallable}.
     *
     * @return new capabilities
     */
    public Capabilities polling() {
        return new Capabilities(ordering, enforcement, survives, shares, false, evicts, retains, true, null);
    }

    /**
     * In which order waiting clients get the lock.
     *
     * @return the order
     */
    public Ordering ordering() {
        return ordering;
    }

    /**
     * What ends a grant on the server when its client falls silent.
     *
     * @return a lease or a session
     */
    public Enforcement enforcement() {
        return enforcement;
    }

    /**
     * The events after which the server still keeps a grant, so that nobody else can get it.
     *
     * @return unmodifiable
     */
    public Set<Survives> survives() {
        return survives;
    }

    /**
     * Whether the backend grants any {@link Share}: read-write locks and semaphores.
     *
     * @return if false, the engine refuses whoever asks for one, and sends nothing
     */
    public boolean shares() {
        return shares;
    }

    /**
     * Whether grants may be {@linkplain Attempt.Granted#recallable recallable}.
     *
     * @return if false, no claim {@linkplain Claim#keeps keeps}: a client that is to keep grants is refused when it is made
     */
    public boolean recalls() {
        return recalls;
    }

    /**
     * For how long a client may keep a grant that it does not use, beyond the rule that it is at most a third of the lease.
     *
     * @return empty if there is no other limit, or none is known
     */
    public Optional<Duration> longestKeep() {
        return Optional.ofNullable(longestKeep);
    }

    /**
     * Whether the server may throw a grant away to make room, or does not tell whether it does.
     *
     * @return if false, a grant ends only by its release, its lease or session, or the loss of its server
     */
    public boolean evicts() {
        return evicts;
    }

    /**
     * Whether the backend can leave a lock taken after its release.
     *
     * @return if false, the engine refuses whoever asks for it, and sends nothing
     */
    public boolean retains() {
        return retains;
    }

    /**
     * Tells that no message of the server wakes a waiting client.
     *
     * @return if true, a waiter learns of its turn when it asks next
     */
    public boolean polls() {
        return polls;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Capabilities that
                && ordering == that.ordering
                && enforcement == that.enforcement
                && survives.equals(that.survives)
                && shares == that.shares
                && recalls == that.recalls
                && evicts == that.evicts
                && retains == that.retains
                && polls == that.polls
                && Objects.equals(longestKeep, that.longestKeep);
    }

    @Override
    public int hashCode() {
        return Objects.hash(ordering, enforcement, survives, shares, recalls, evicts, retains, polls, longestKeep);
    }

    /** Names each capability, for logs. */
    @Override
    public String toString() {
        return "Capabilities[ordering " + ordering + ", enforcement " + enforcement + ", survives " + survives
                + (shares ? ", shares" : "") + (recalls ? ", recalls" : "")
                + (longestKeep == null ? "" : " for at most " + longestKeep)
                + (retains ? ", retains" : "")
                + (polls ? ", polls" : "")
                + (evicts ? ", evicts]" : "]");
    }

    /** In which order waiting clients get the lock. */
    public enum Ordering {
        /** The first client to ask after a release gets the lock; no client is promised a turn. */
        NONE,
        /** First come, first served between clients. */
        FIFO
    }

    /** What ends a grant on the server when its client falls silent. */
    public enum Enforcement {
        /** Each grant has its own time to live. */
        LEASE,
        /** All grants of a client live as long as its session; the engine enforces shorter leases itself. */
        SESSION
    }

    /** An event that a grant outlives. */
    public enum Survives {
        /** The server process stops and starts again with its data. */
        SERVER_RESTART,
        /** The server, or the leader of several, dies and another takes over. */
        FAILOVER
    }
}
