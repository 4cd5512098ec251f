package io.hasp.postgres;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Settings of locks in one database, independent of its address. Immutable.
 *
 * @param schema the schema of the tables, {@code public} by default
 * @param prefix the beginning of the names of tables and functions, {@code hasp_} by default
 * @param create true if a client creates missing tables and functions; false, the default, if it refuses to open without them
 * @param notification the way in which waiters learn of their turn, {@link Notification#LISTEN} by default
 * @param commandTimeout the longest time of one call, 250 ms to 1 h; 2 s by default
 * @param poolSize the connections for calls, 1 to 64; 4 by default. A client that listens has one more
 */
public record PostgresLocks(
        String schema,
        String prefix,
        boolean create,
        Notification notification,
        Duration commandTimeout,
        int poolSize) {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,39}");
    private static final Duration SHORTEST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int LARGEST_POOL = 64;
    private static final PostgresLocks DEFAULTS =
            new PostgresLocks("public", "hasp_", false, Notification.LISTEN, Duration.ofSeconds(2), 4);

    /**
     * Checks the rules above.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    public PostgresLocks {
        identifier("schema", schema);
        identifier("prefix", prefix);
        Objects.requireNonNull(notification, "notification");
        if (commandTimeout.compareTo(SHORTEST) < 0 || commandTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "commandTimeout is " + commandTimeout + ": it must be from " + SHORTEST + " to " + LONGEST);
        }
        if (poolSize < 1 || poolSize > LARGEST_POOL) {
            throw new IllegalArgumentException("poolSize is " + poolSize + ": it must be from 1 to " + LARGEST_POOL);
        }
    }

    private static void identifier(String what, String value) {
        if (!IDENTIFIER.matcher(value).matches()) {
            throw new IllegalArgumentException(what + " is '" + value
                    + "': it takes lower-case letters, digits and '_', begins with no digit, and has at most 40");
        }
    }

    /**
     * Returns the default settings.
     *
     * @return the values above
     */
    public static PostgresLocks defaults() {
        return DEFAULTS;
    }

    /**
     * Returns these settings with another schema.
     *
     * @param other see above
     * @return new settings
     */
    public PostgresLocks schema(String other) {
        return new PostgresLocks(other, prefix, create, notification, commandTimeout, poolSize);
    }

    /**
     * Returns these settings with another prefix.
     *
     * @param other see above
     * @return new settings
     */
    public PostgresLocks prefix(String other) {
        return new PostgresLocks(schema, other, create, notification, commandTimeout, poolSize);
    }

    /**
     * Returns these settings with or without the creation of missing tables.
     *
     * @param whether see above
     * @return new settings
     */
    public PostgresLocks create(boolean whether) {
        return new PostgresLocks(schema, prefix, whether, notification, commandTimeout, poolSize);
    }

    /**
     * Returns these settings with another way of notification.
     *
     * @param other see above
     * @return new settings
     */
    public PostgresLocks notification(Notification other) {
        return new PostgresLocks(schema, prefix, create, other, commandTimeout, poolSize);
    }

    /**
     * Returns these settings with another timeout.
     *
     * @param other see above
     * @return new settings
     */
    public PostgresLocks commandTimeout(Duration other) {
        return new PostgresLocks(schema, prefix, create, notification, other, poolSize);
    }

    /**
     * Returns these settings with another number of connections.
     *
     * @param other see above
     * @return new settings
     */
    public PostgresLocks poolSize(int other) {
        return new PostgresLocks(schema, prefix, create, notification, commandTimeout, other);
    }

    boolean listens() {
        return notification == Notification.LISTEN;
    }
}
