package io.hasp.conformance.faults;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** What can be broken around a lock on one Redis server. */
public final class RedisFaults implements Faults {
    private final RedisServer redis;
    private final UnaryOperator<String> keyOf;

    /**
     * Faults of one server.
     *
     * @param redis the server
     * @param keyOf tells which key holds the lock of a name
     */
    public RedisFaults(RedisServer redis, UnaryOperator<String> keyOf) {
        this.redis = redis;
        this.keyOf = keyOf;
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
    public HeldRequests holdWrites(Duration time) {
        redis.command("CLIENT", "PAUSE", Long.toString(time.toMillis()), "WRITE");
        return () -> (int) String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" flags=b "))
                .count();
    }
}
