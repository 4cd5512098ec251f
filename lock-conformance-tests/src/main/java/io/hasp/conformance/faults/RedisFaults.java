package io.hasp.conformance.faults;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Faults of one Redis server. */
public final class RedisFaults implements Faults {
    private final RedisServer redis;
    private final UnaryOperator<String> keyOf;
    private final Optional<UnaryOperator<String>> queueOf;

    /**
     * Creates the faults of one server, for a lock without a queue.
     *
     * @param redis the server
     * @param keyOf maps a lock's name to its key
     */
    public RedisFaults(RedisServer redis, UnaryOperator<String> keyOf) {
        this(redis, keyOf, Optional.empty());
    }

    /**
     * Creates the faults of one server.
     *
     * @param redis the server
     * @param keyOf maps a lock's name to its key
     * @param queueOf maps a lock's name to the sorted set of its waiters
     */
    public RedisFaults(RedisServer redis, UnaryOperator<String> keyOf, UnaryOperator<String> queueOf) {
        this(redis, keyOf, Optional.of(queueOf));
    }

    private RedisFaults(RedisServer redis, UnaryOperator<String> keyOf, Optional<UnaryOperator<String>> queueOf) {
        this.redis = redis;
        this.keyOf = keyOf;
        this.queueOf = queueOf;
    }

    @Override
    public Server server() {
        return redis;
    }

    @Override
    public void deleteLock(String lock) {
        String key = keyOf.apply(lock);
        Object deleted = redis.command("DEL", key);
        if (!Long.valueOf(1).equals(deleted)) {
            throw new IllegalStateException("there is no key '" + key + "' to delete");
        }
    }

    @Override
    public void loseNotifications() {
        redis.command("CLIENT", "KILL", "TYPE", "pubsub");
    }

    @Override
    public int present(String lock) throws Exception {
        if (queueOf.isEmpty()) {
            return Faults.super.present(lock);
        }
        long waiting =
                (Long) requireNonNull(redis.command("ZCARD", queueOf.get().apply(lock)));
        return Math.toIntExact(holders(keyOf.apply(lock)) + waiting);
    }

    /** A lock that is shared is a hash with a field for each holder and one for all. */
    private long holders(String key) {
        if (String.valueOf(redis.command("TYPE", key)).equals("hash")) {
            return Math.max(0, (Long) requireNonNull(redis.command("HLEN", key)) - 1);
        }
        return (Long) requireNonNull(redis.command("EXISTS", key));
    }

    /** {@inheritDoc} Here: commands, those inside scripts included. */
    @Override
    public long received() {
        String stats = String.valueOf(redis.command("INFO", "stats"));
        return stats.lines()
                .filter(line -> line.startsWith("total_commands_processed:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    /** {@inheritDoc} Here: keys. */
    @Override
    public long kept() {
        return (Long) requireNonNull(redis.command("DBSIZE"));
    }

    @Override
    public HeldRequests holdWrites(Duration time) {
        redis.command("CLIENT", "PAUSE", Long.toString(time.toMillis()), "WRITE");
        return () -> (int) String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" flags=b "))
                .count();
    }
}
