package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.net.URI;
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
 * @param uri of the server
 */
record RedisFloor(String uri) implements LockSubject {
    private static final String TAKE = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0";
    private static final String GIVE_BACK =
            "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0";
    private static final String LEASE_MILLIS = "30000";

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
        try (RespConnection connection = connect(uri)) {
            return new User(
                    uri, loaded(connection, TAKE), loaded(connection, GIVE_BACK), new ConcurrentLinkedDeque<>());
        }
    }

    private static RespConnection connect(String uri) throws IOException {
        URI address = URI.create(uri);
        return RespConnection.open(address.getHost(), address.getPort(), Duration.ofSeconds(10));
    }

    private static String loaded(RespConnection connection, String script) throws IOException {
        return Objects.requireNonNull(connection.text("SCRIPT", "LOAD", script));
    }

    private record User(String uri, String take, String giveBack, Deque<RespConnection> idle) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            RespConnection pooled = idle.pollFirst();
            RespConnection connection = pooled != null ? pooled : connect(uri);
            String key = "floor:" + lock;
            String holder = UUID.randomUUID().toString();
            if (!Retry.until(wait, () -> connection.integer("EVALSHA", take, "1", key, holder, LEASE_MILLIS) == 1)) {
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
