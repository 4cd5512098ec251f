package io.hasp.conformance;

import java.time.Duration;
import java.util.Set;

/**
 * A lock under test, behind the narrow port that the rules need. Hasp's backends, the libraries that Hasp is compared
 * with and deliberately broken locks are all subjects, so that no subject depends on another's engine.
 *
 * <p>A subject takes about ten lines: it opens clients and lists its claims. For the rules, configure it so that its
 * server frees the lock of a silent client after about {@link Timings#lease()}. Depending on the lock, that time is a
 * lease, a watchdog time-out or a session time-out. The methods may be called by any thread.
 */
public interface LockSubject {

    /**
     * Returns the subject's name in reports.
     *
     * @return a short name such as {@code hasp-redis}
     */
    String name();

    /**
     * Returns the claims of this lock. A rule about a missing claim is skipped, with that reason.
     *
     * @return the claims; empty for a lock with mutual exclusion only
     */
    Set<Claimed> claims();

    /**
     * Opens the client of one simulated process, with connections of its own.
     *
     * @return a new client; the caller closes it
     * @throws Exception if the lock's server can't be reached
     */
    LockUser open() throws Exception;

    /**
     * Returns the kind of servers that the lock needs, for {@code hasp compare --subject-jar}.
     *
     * @return the scheme of the servers' URIs: {@code redis}, {@code redlock} or {@code zookeeper}; empty (the default)
     *     for a lock that needs no URI
     */
    default String backend() {
        return "";
    }

    /**
     * Returns the same lock on other servers, for {@code hasp compare --subject-jar}.
     *
     * @param uri the servers' URI in Hasp's form; the lock should use its credentials, key prefix and path, if present
     * @return a subject that connects there; this one, unless overridden
     */
    default LockSubject at(String uri) {
        return this;
    }

    /**
     * Returns the longest time until the server frees the locks and the queue entries of a silent client.
     *
     * @return {@link Timings#lease()}, unless overridden
     */
    default Duration silence() {
        return Timings.lease();
    }

    /** A promise of a lock beyond mutual exclusion. */
    enum Claimed {
        /** {@link Hold#token} is present, and greater for every later grant of the same name. */
        FENCING_TOKEN,
        /** Tokens keep growing after the server has lost all its data. */
        TOKEN_AFTER_DATA_LOSS,
        /** {@link Hold#believesHeld} turns false when the lock is lost. */
        LOSS_DETECTION,
        /** A hold may be taken for a fixed time and then ends by itself. */
        FIXED_LEASE,
        /** A hold without a fixed time is kept alive while its client lives. */
        RENEWAL,
        /** Waiting clients get the lock in the order of their requests. */
        FIFO,
        /** A lock has many readers ({@link LockMode#READ}) or one writer. */
        READ_WRITE,
        /** A lock has a number of permits. */
        SEMAPHORE,
        /** Supports {@link Hold#downgrade}. */
        DOWNGRADE,
        /** Supports {@link Hold#giveBack}. */
        PARTIAL_GIVE_BACK,
        /** Supports {@link LockUser#tryAcquireAll}. */
        SEVERAL,
        /** Has elections: a user holds a name that begins with {@link HaspSubject#ELECTION} as the leader of one. */
        ELECTION
    }
}
