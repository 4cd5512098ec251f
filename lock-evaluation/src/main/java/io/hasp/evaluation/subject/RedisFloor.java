package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.evaluation.servers.RedisPlace;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The least that Redis can do and call it a lock: one script to take, one to give back what is still one's own, each a
 * round trip on a plain socket. A hold keeps its socket, so that each thread has its own. Whoever finds the lock taken
 * tries again a little later.
 *
 * @param uri of the server, as Hasp takes it
 * @param lease after which a silent client's locks are free
 */
record RedisFloor(String uri, Duration lease) implements LockSubject {
    private static final String TAKE = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0";
    private static final String GIVE_BACK =
            "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0";
    /** As long as those of the others are by themselves. */
    static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "floor-redis";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws IOException {
        RedisPlace place = RedisPlace.of(uri);
        try (RespConnection connection = place.connect()) {
            String take = loaded(connection, TAKE);
            String giveBack = loaded(connection, GIVE_BACK);
            return new User(place, Long.toString(lease.toMillis()), take, giveBack, new ConcurrentLinkedDeque<>());
        }
    }

    private static String loaded(RespConnection connection, String script) throws IOException {
        return Objects.requireNonNull(connection.text("SCRIPT", "LOAD", script));
    }

    private record User(RedisPlace place, String leaseMillis, String take, String giveBack, Deque<RespConnection> idle)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            RespConnection pooled = idle.pollFirst();
            RespConnection connection = pooled != null ? pooled : place.connect();
            String key = place.key("floor", lock);
            String holder = UUID.randomUUID().toString();
            if (!Retry.until(wait, () -> connection.integer("EVALSHA", take, "1", key, holder, leaseMillis) == 1)) {
                idle.addFirst(connection);
                return Optional.empty();
            }
            return Optional.of(() -> {
                boolean was = connection.integer("EVALSHA", giveBack, "1", key, holder) == 1;
                idle.addFirst(connection);
                return was;
            });
        }

        @Override
        public void close() {
            idle.forEach(RespConnection::close);
        }
    }
}
