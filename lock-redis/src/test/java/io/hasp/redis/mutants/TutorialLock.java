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
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;

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

    /** The value that a client writes into the key. */
    String newValue() {
        return UUID.randomUUID().toString();
    }

    boolean take(RespConnection redis, String key, String value, Duration lease) throws IOException {
        return redis.text("SET", key, value, "NX", "PX", Long.toString(lease.toMillis())) != null;
    }

    boolean giveBack(RespConnection redis, String key, String value) throws IOException {
        return redis.integer("EVAL", COMPARE_AND_DELETE, "1", key, value) == 1;
    }

    /** The fencing token of a grant that was made just now; 0 for none. */
    long token(RespConnection redis, String key, Object client) throws IOException {
        return 0;
    }

    /** The result of an attempt without an answer. */
    boolean takenInSpiteOf(IOException failure) throws IOException {
        throw failure;
    }

    /** The user's hold on a key that a request from {@code sentAt} took. */
    Hold hold(String key, String value, long sentAt, Hold taken) {
        return taken;
    }

    final RespConnection connect() throws IOException {
        return RespConnection.open("127.0.0.1", port, COMMAND_TIMEOUT);
    }

    /** Waits and attempts until the lock is taken; false when the time is over. */
    boolean await(Attempt attempt, String key, Duration left) throws Exception {
        long end = System.nanoTime() + left.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.sleep(Math.min(POLL.toMillis(), (end - System.nanoTime()) / 1_000_000 + 1));
            if (attempt.run()) {
                return true;
            }
        }
        return false;
    }

    /** One try to take a lock. */
    interface Attempt {
        boolean run() throws IOException;
    }

    @Override
    public final LockUser open() {
        return new User(this);
    }

    /** Something to do on a connection. */
    private interface Work {
        boolean on(RespConnection redis) throws IOException;
    }

    /** Compared by identity: a client. */
    private static final class User implements LockUser {
        private final TutorialLock lock;
        private final Deque<RespConnection> idle = new ConcurrentLinkedDeque<>();

        User(TutorialLock lock) {
            this.lock = lock;
        }

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait) throws Exception {
            return tryAcquire(name, wait, Timings.lease());
        }

        @Override
        public Optional<Hold> tryAcquire(String name, Duration wait, Duration lease) throws Exception {
            String key = key(name);
            String value = lock.newValue();
            AtomicLong sentAt = new AtomicLong();
            AtomicLong token = new AtomicLong();
            Attempt attempt = () -> {
                sentAt.set(System.nanoTime());
                return answered(redis -> {
                    boolean taken = lock.take(redis, key, value, lease);
                    token.set(taken ? lock.token(redis, key, this) : 0);
                    return taken;
                });
            };
            if (attempt.run() || (!wait.isZero() && lock.await(attempt, key, wait))) {
                return Optional.of(lock.hold(key, value, sentAt.get(), new Held(this, key, value, token.get())));
            }
            return Optional.empty();
        }

        private boolean answered(Work work) throws IOException {
            try {
                return connected(work);
            } catch (IOException e) {
                return lock.takenInSpiteOf(e);
            }
        }

        boolean giveBack(String key, String value) throws IOException {
            return connected(redis -> lock.giveBack(redis, key, value));
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

    private record Held(User user, String key, String value, long number) implements Hold {

        @Override
        public boolean release() throws IOException {
            return user.giveBack(key, value);
        }

        @Override
        public OptionalLong token() {
            return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
        }
    }
}
