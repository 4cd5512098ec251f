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
 * Declares the capabilities of a backend. Immutable. The conformance suite proves each declared capability; the use of an undeclared one
 * throws.
 *
 * <p>Created by {@link #of} and extended by {@link #surviving}, {@link #sharing}, {@link #recalling}, {@link #retaining}, {@link #polling},
 * {@link #evicting} and {@link #inspecting}, so that a new capability changes no backend without it. Each of these methods returns new capabilities that are
 * otherwise the same.
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
    private final boolean inspects;

    private Capabilities(
            Ordering ordering,
            Enforcement enforcement,
            Set<Survives> survives,
            boolean shares,
            boolean recalls,
            boolean evicts,
            boolean retains,
            boolean polls,
            @Nullable Duration longestKeep,
            boolean inspects) {
        this.ordering = ordering;
        this.enforcement = enforcement;
        this.survives = survives;
        this.shares = shares;
        this.recalls = recalls;
        this.evicts = evicts;
        this.retains = retains;
        this.polls = polls;
        this.longestKeep = longestKeep;
        this.inspects = inspects;
    }

    /**
     * Creates the capabilities that every backend declares; nothing is promised to survive.
     *
     * @param ordering the order between waiting clients
     * @param enforcement the limit after which the server ends the grant of a silent client
     * @return the capabilities
     */
    public static Capabilities of(Ordering ordering, Enforcement enforcement) {
        return new Capabilities(ordering, enforcement, Set.of(), false, false, false, false, false, null, false);
    }

    /**
     * Adds events that a grant outlives.
     *
     * @param events after which the server still keeps a grant, so that no other client can get it
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
                longestKeep,
                inspects);
    }

    /**
     * Declares that the backend grants any {@link Share}, not only exclusive ones: read-write locks and semaphores.
     *
     * @return new capabilities
     */
    public Capabilities sharing() {
        return new Capabilities(
                ordering, enforcement, survives, true, recalls, evicts, retains, polls, longestKeep, inspects);
    }

    /**
     * Declares recalls: grants may be {@linkplain Attempt.Granted#recallable recallable}, so that a client can keep a grant between its
     * uses.
     *
     * @return new capabilities
     */
    public Capabilities recalling() {
        return new Capabilities(ordering, enforcement, survives, shares, true, evicts, retains, polls, null, inspects);
    }

    /**
     * Declares recalls for a backend with {@linkplain Enforcement#SESSION sessions}. If a client dies that keeps a lock, others lose the
     * rest of its session, whatever lease was requested.
     *
     * @param longestKeep a third of the session timeout: no client may keep for longer
     * @return new capabilities
     */
    public Capabilities recalling(Duration longestKeep) {
        return new Capabilities(
                ordering, enforcement, survives, shares, true, evicts, retains, polls, longestKeep, inspects);
    }

    /**
     * Declares that the server may evict a grant to make room, or hides its policy. The next renewal of an evicted grant is refused.
     *
     * @return new capabilities
     */
    public Capabilities evicting() {
        return new Capabilities(
                ordering, enforcement, survives, shares, recalls, true, retains, polls, longestKeep, inspects);
    }

    /**
     * Declares that the backend can {@linkplain LockBackend#retain leave a lock taken} for a time that it measures itself, whatever happens
     * to the client. Such a backend ends each grant by its lease, and grants the whole lease of a claim that is not
     * {@linkplain Claim#renewed renewed}.
     *
     * @return new capabilities
     */
    public Capabilities retaining() {
        return new Capabilities(
                ordering, enforcement, survives, shares, recalls, evicts, true, polls, longestKeep, inspects);
    }

    /**
     * Declares that the server sends no messages: a waiting client polls, and no grant is
     * {@linkplain Attempt.Granted#recallable recallable}.
     *
     * @return new capabilities
     */
    public Capabilities polling() {
        return new Capabilities(ordering, enforcement, survives, shares, false, evicts, retains, true, null, inspects);
    }

    /**
     * Declares that the backend has a {@link LockBackend#inspector}.
     *
     * @return new capabilities
     */
    public Capabilities inspecting() {
        return new Capabilities(
                ordering, enforcement, survives, shares, recalls, evicts, retains, polls, longestKeep, true);
    }

    /**
     * Returns the order between waiting clients.
     *
     * @return the order
     */
    public Ordering ordering() {
        return ordering;
    }

    /**
     * Returns the limit after which the server ends the grant of a silent client.
     *
     * @return a lease or a session
     */
    public Enforcement enforcement() {
        return enforcement;
    }

    /**
     * Returns the events after which the server still keeps a grant, so that no other client can get it.
     *
     * @return unmodifiable
     */
    public Set<Survives> survives() {
        return survives;
    }

    /**
     * Returns true if the backend grants any {@link Share}: read-write locks and semaphores.
     *
     * @return if false, the engine refuses a request for one, and sends nothing
     */
    public boolean shares() {
        return shares;
    }

    /**
     * Returns true if grants may be {@linkplain Attempt.Granted#recallable recallable}.
     *
     * @return if false, no claim {@linkplain Claim#keeps keeps}: a client with that option is refused when it is created
     */
    public boolean recalls() {
        return recalls;
    }

    /**
     * Returns the longest time for which a client may keep a grant between its uses, besides the rule that it is at most a third of the
     * lease.
     *
     * @return empty if there is no other limit, or none is known
     */
    public Optional<Duration> longestKeep() {
        return Optional.ofNullable(longestKeep);
    }

    /**
     * Returns true if the backend shows its locks to operators.
     *
     * @return if false, there is no {@link LockBackend#inspector}
     */
    public boolean inspects() {
        return inspects;
    }

    /**
     * Returns true if the server may evict a grant to make room, or hides its policy.
     *
     * @return if false, a grant ends only by its release, its lease or session, or the loss of its server
     */
    public boolean evicts() {
        return evicts;
    }

    /**
     * Returns true if the backend can leave a lock taken after its release.
     *
     * @return if false, the engine refuses a request for it, and sends nothing
     */
    public boolean retains() {
        return retains;
    }

    /**
     * Returns true if no message of the server wakes a waiting client.
     *
     * @return if true, a waiter learns of its turn at its next poll
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
                && Objects.equals(longestKeep, that.longestKeep)
                && inspects == that.inspects;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                ordering, enforcement, survives, shares, recalls, evicts, retains, polls, longestKeep, inspects);
    }

    /** Names each capability, for logs. */
    @Override
    public String toString() {
        return "Capabilities[ordering " + ordering + ", enforcement " + enforcement + ", survives " + survives
                + (shares ? ", shares" : "") + (recalls ? ", recalls" : "")
                + (longestKeep == null ? "" : " for at most " + longestKeep)
                + (retains ? ", retains" : "")
                + (polls ? ", polls" : "")
                + (inspects ? ", inspects" : "")
                + (evicts ? ", evicts]" : "]");
    }

    /** Sets the order between waiting clients. */
    public enum Ordering {
        /** The first client to ask after a release gets the lock; no client is promised a turn. */
        NONE,
        /** First come, first served between clients. */
        FIFO
    }

    /** Limits the grant of a silent client on the server. */
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
