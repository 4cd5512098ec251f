package io.hasp.evaluation.subject;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Faults around Redisson's fair lock. Its queue shows the waiters, so that their order can be tested. */
final class FairLockFaults implements Faults {
    private final RedisServer redis;
    private final UnaryOperator<String> keyOf;
    private final RedisFaults others;

    FairLockFaults(RedisServer redis, UnaryOperator<String> keyOf) {
        this.redis = redis;
        this.keyOf = keyOf;
        this.others = new RedisFaults(redis, keyOf);
    }

    /** Its holder, if there is one, and those in the list of the waiting. */
    @Override
    public int present(String lock) {
        String key = keyOf.apply(lock);
        long holders = (Long) requireNonNull(redis.command("EXISTS", key));
        long waiting = (Long) requireNonNull(redis.command("LLEN", "redisson_lock_queue:{" + key + "}"));
        return Math.toIntExact(holders + waiting);
    }

    @Override
    public Server server() {
        return redis;
    }

    @Override
    public void deleteLock(String lock) {
        others.deleteLock(lock);
    }

    @Override
    public void loseNotifications() {
        others.loseNotifications();
    }

    @Override
    public long received() {
        return others.received();
    }

    @Override
    public long kept() {
        return others.kept();
    }

    @Override
    public HeldRequests holdWrites(Duration time) {
        return others.holdWrites(time);
    }
}
