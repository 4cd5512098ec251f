package io.hasp.redis.mutants;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The lock that the better tutorials arrive at: SET NX PX with a value of one's own, a script that compares before it
 * deletes, no renewal. It keeps the rules it claims. Each mutant is this lock with one verb done as an earlier chapter does
 * it.
 */
class TutorialLock implements LockSubject {
    private static final Duration COMMAND_TIMEOUT = Timings.units(20);
    private static final Duration POLL = Timings.units(0.1);
    private static final String COMPARE_AND_DELETE =
            "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1]) or 0";

    private final int port;

    TutorialLock(int port) {
        this.port = port;
    }

    static String key(String lock) {
        return "tutorial:" + lock;
    }

    @Override
    public final String name() {
        return getClass().getSimpleName();
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE);
    }

    /** What a client writes into the key when it takes the lock. */
    String newValue() {
        return UUID.randomUUID().toString();
    }

    boolean take(RespConnection redis, String key, String value, Duration lease) throws IOException {
        return redis.text("SET", key, value, "NX", "PX", Long.toString(lease.toMillis())) != null;
    }

    boolean giveBack(RespConnection redis, String key, String value) throws IOException {
        return redis.integer("EVAL", COMPARE_AND_DELETE, "1", key, value) == 1;
    }

    /** What an attempt comes to that was not answered. */
    boolean takenInSpiteOf(IOException failure) throws IOException {
        throw failure;
    }

    /** What the user gets for the key that was taken by a request sent at {@code sentAt}. */
    Hold hold(String key, String value, long sentAt, Hold release) {
        return release;
    }

    final RespConnection connect() throws IOException {
        return RespConnection.open("127.0.0.1", port, COMMAND_TIMEOUT);
    }

    @Override
    public final LockUser open() {
        return new User(this, new ConcurrentLinkedDeque<>());
    }

    /** Something to do on a connection. */
    private interface Work {
        boolean on(RespConnection redis) throws IOException;
    }

    private record User(TutorialLock lock, Deque<RespConnection> idle) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait) throws Exception {
            return tryAcquire(name, wait, Timings.lease());
        }

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait, Duration lease) throws Exception {
            String key = key(name);
            String value = lock.newValue();
            long end = System.nanoTime() + wait.toNanos();
            while (true) {
                long sentAt = System.nanoTime();
                if (taken(key, value, lease)) {
                    return Optional.of(
                            lock.hold(key, value, sentAt, () -> connected(redis -> lock.giveBack(redis, key, value))));
                }
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                Thread.sleep(Math.min(POLL.toMillis(), left / 1_000_000 + 1));
            }
        }

        private boolean taken(String key, String value, Duration lease) throws IOException {
            try {
                return connected(redis -> lock.take(redis, key, value, lease));
            } catch (IOException e) {
                return lock.takenInSpiteOf(e);
            }
        }

        /** A connection that failed is not used again. */
        private boolean connected(Work work) throws IOException {
            RespConnection pooled = idle.pollFirst();
            RespConnection redis = pooled != null ? pooled : lock.connect();
            boolean answer = work.on(redis);
            idle.addFirst(redis);
            return answer;
        }

        @Override
        public void close() {
            idle.forEach(RespConnection::close);
        }
    }
}
