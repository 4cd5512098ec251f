package io.hasp.conformance;

import java.time.Duration;
import java.util.Set;

/**
 * A lock under test, seen through the narrow port that the rules need. Hasp's backends, the libraries Hasp is compared
 * with and deliberately broken locks all come as subjects, so that none of them borrows another's engine.
 *
 * <p>A subject is about ten lines: how to open it, and what it claims. Under the rules it is configured so that its
 * server frees the lock of a client that fell silent after about {@link Timings#lease()}: lease, watchdog or session
 * time-out.
 */
public interface LockSubject {

    /**
     * How reports call it.
     *
     * @return a short name such as {@code hasp-redis}
     */
    String name();

    /**
     * What this lock claims. A rule about something that is not claimed is skipped with that reason.
     *
     * @return the claims
     */
    Set<Claimed> claims();

    /**
     * Starts what one process would use: an own client with own connections.
     *
     * @return a new client, closed by the caller
     * @throws Exception if the lock's server can't be reached
     */
    LockUser open() throws Exception;

    /**
     * What kind of servers it needs, for {@code hasp compare --subject-jar}.
     *
     * @return the scheme of their URIs: {@code redis}, {@code redlock} or {@code zookeeper}; empty, unless overridden, for a lock
     *     that knows its servers by itself
     */
    default String backend() {
        return "";
    }

    /**
     * The same lock on certain servers, for {@code hasp compare --subject-jar}.
     *
     * @param uri theirs, as Hasp takes it; it may have credentials, a key prefix or a path, which the lock should use
     * @return a subject that connects there; this one, unless overridden
     */
    default LockSubject at(String uri) {
        return this;
    }

    /**
     * After how long at most the server frees what a client held, or queued for, that fell silent.
     *
     * @return {@link Timings#lease()}, unless overridden
     */
    default Duration silence() {
        return Timings.lease();
    }

    /** What a lock may claim beyond mutual exclusion. */
    enum Claimed {
        /** {@link Hold#token} is present, and greater for every later grant of the same name. */
        FENCING_TOKEN,
        /** Tokens go on growing when the server has lost all its data. */
        TOKEN_AFTER_DATA_LOSS,
        /** {@link Hold#believesHeld} turns false when the lock is lost. */
        LOSS_DETECTION,
        /** A hold may be taken for a fixed time and ends by itself after it. */
        FIXED_LEASE,
        /** A hold without a fixed time is kept alive for as long as its client lives. */
        RENEWAL,
        /** Waiting clients get the lock in the order in which they asked. */
        FIFO,
        /** A lock may be held for reading by many ({@link LockMode#READ}), or for writing by one. */
        READ_WRITE,
        /** A lock may have a number of permits. */
        SEMAPHORE,
        /** {@link Hold#downgrade}. */
        DOWNGRADE,
        /** {@link Hold#giveBack}. */
        PARTIAL_GIVE_BACK
    }
}
