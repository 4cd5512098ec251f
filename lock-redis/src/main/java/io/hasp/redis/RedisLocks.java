package io.hasp.redis;

import static io.hasp.redis.ConfigChecks.require;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings of the locks on Redis, for any kind of connection. A program begins with {@link #defaults()} and changes single settings: {@code
 * RedisLocks.defaults().keyPrefix("app").acknowledge(1)}. Immutable.
 *
 * @param keyPrefix put before all keys and channels: 1 to 64 letters, digits and {@code . _ : -}. Clients share locks only if they have
 *     the same prefix
 * @param eviction whether a server that may evict locks is accepted
 * @param acknowledgement the replicas that must receive a grant; empty for none
 * @param notification the way in which waiters are notified of their turn; empty for messages, or polls if the server refuses messages at
 *     connect
 */
public record RedisLocks(
        String keyPrefix,
        Eviction eviction,
        Optional<Acknowledgement> acknowledgement,
        Optional<Notification> notification) {

    /** The key prefix unless another is chosen: the library's name, so that its keys are apart from those of the application. */
    public static final String DEFAULT_KEY_PREFIX = "hasp";

    private static final RedisLocks DEFAULTS =
            new RedisLocks(DEFAULT_KEY_PREFIX, Eviction.REFUSED, Optional.empty(), Optional.empty());

    /**
     * Checks the prefix.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public RedisLocks {
        require(
                keyPrefix.matches("[A-Za-z0-9._:-]{1,64}"),
                "keyPrefix is '" + keyPrefix + "': it takes 1 to 64 letters, digits and . _ : -");
    }

    /**
     * Returns the default settings, with the prefix {@value #DEFAULT_KEY_PREFIX}. A server that may evict locks is refused, because an
     * evicted lock may have two holders. No replica must acknowledge a grant, because most servers have no replica. Messages notify waiters
     * of their turn; where the server refuses messages, waiters poll.
     *
     * @return the defaults
     */
    public static RedisLocks defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the prefix of all keys and channels.
     *
     * @param prefix 1 to 64 letters, digits and {@code . _ : -}
     * @return new locks
     */
    public RedisLocks keyPrefix(String prefix) {
        return new RedisLocks(prefix, eviction, acknowledgement, notification);
    }

    /**
     * Sets the rule for servers that may evict locks when their memory is full.
     *
     * @param rule refused or accepted
     * @return new locks
     */
    public RedisLocks eviction(Eviction rule) {
        return new RedisLocks(keyPrefix, rule, acknowledgement, notification);
    }

    /**
     * Requires that replicas receive a grant before it counts, within {@link Acknowledgement#DEFAULT_WITHIN}. Otherwise the grant is
     * released, and the attempt fails. {@link Acknowledgement} lists the limits of this protection.
     *
     * @param replicas the number of replicas, from 1 to 100
     * @return new locks
     */
    public RedisLocks acknowledge(int replicas) {
        return acknowledge(replicas, Acknowledgement.DEFAULT_WITHIN);
    }

    /**
     * Requires replicas as {@link #acknowledge(int)} does, with another limit for the wait.
     *
     * @param replicas the number of replicas, from 1 to 100
     * @param within from 1 ms to half of the connection's command timeout; a longer time is refused at connect
     * @return new locks
     */
    public RedisLocks acknowledge(int replicas, Duration within) {
        return new RedisLocks(keyPrefix, eviction, Optional.of(new Acknowledgement(replicas, within)), notification);
    }

    /**
     * Sets the way in which waiters are notified of their turn.
     *
     * @param way by messages or by polls
     * @return new locks
     */
    public RedisLocks notification(Notification way) {
        return new RedisLocks(keyPrefix, eviction, acknowledgement, Optional.of(way));
    }

    boolean polls() {
        return notification.equals(Optional.of(Notification.POLL));
    }

    boolean needMessages() {
        return notification.equals(Optional.of(Notification.MESSAGES));
    }

    /** Names the settings, for logs. */
    @Override
    public String toString() {
        return "keyPrefix " + keyPrefix
                + notification.map(way -> ", notification " + way).orElse("")
                + (eviction == Eviction.ACCEPTED ? ", eviction accepted" : "")
                + acknowledgement
                        .map(wanted -> ", acknowledged by " + wanted.replicas() + " within " + wanted.within())
                        .orElse("");
    }
}
