package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The least work that can be called a lock on Redis: one script to acquire and one to release, each a round trip on a
 * plain socket. A hold keeps its socket, so each thread has its own. A single thread spins for its reply before it
 * blocks; with several threads, spinning would delay the server. A thread that finds the lock taken retries a little
 * later.
 *
 * @param uri of the server, in Hasp's form
 * @param lease after which a silent client's locks are free
 */
record MinimalRedisLock(String uri, Duration lease) implements LockSubject {
    static final String TAKE = "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0";
    static final String GIVE_BACK = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0";
    /** A server nearby replies within this time. */
    private static final Duration SPIN = Duration.ofNanos(200_000);

    /** The same as the default of the other locks. */
    static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "baseline-redis";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of();
    }

    @Override
    public LockUser open() throws IOException {
        RedisEndpoint endpoint = RedisEndpoint.of(uri);
        try (RespConnection connection = endpoint.connect()) {
            String take = loaded(connection, TAKE);
            String giveBack = loaded(connection, GIVE_BACK);
            return new User(
                    endpoint,
                    Long.toString(lease.toMillis()),
                    take,
                    giveBack,
                    new ConcurrentLinkedDeque<>(),
                    new AtomicInteger());
        }
    }

    static String loaded(RespConnection connection, String script) throws IOException {
        return Objects.requireNonNull(connection.text("SCRIPT", "LOAD", script));
    }

    private record User(
            RedisEndpoint endpoint,
            String leaseMillis,
            String take,
            String giveBack,
            Deque<RespConnection> idle,
            AtomicInteger asking)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            RespConnection pooled = idle.pollFirst();
            RespConnection connection = pooled != null ? pooled : endpoint.connect();
            String key = endpoint.key("baseline", lock);
            String holder = UUID.randomUUID().toString();
            if (!PollingWait.until(wait, () -> ask(connection, take, key, holder, leaseMillis))) {
                idle.addFirst(connection);
                return Optional.empty();
            }
            return Optional.of(() -> {
                boolean was = ask(connection, giveBack, key, holder);
                idle.addFirst(connection);
                return was;
            });
        }

        private boolean ask(RespConnection connection, String script, String key, String... arguments)
                throws IOException {
            connection.spin(asking.incrementAndGet() == 1 ? SPIN : Duration.ZERO);
            try {
                List<String> command = new ArrayList<>(List.of("EVALSHA", script, "1", key));
                command.addAll(List.of(arguments));
                return connection.integer(command.toArray(String[]::new)) == 1;
            } finally {
                asking.decrementAndGet();
            }
        }

        @Override
        public void close() {
            idle.forEach(RespConnection::close);
        }
    }
}
