package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;

/**
 * Redisson's {@code RPermitExpirableSemaphore}, on a client as {@link RedissonLock} has it. Its permits have a lease time or
 * none, and no watchdog, so its users choose between permits that end under them and permits that outlive their holders.
 *
 * @param uri of the server, as Hasp takes it
 * @param lease how long permits are held that are taken without a fixed time; empty for those that never end
 */
record RedissonSemaphore(String uri, Optional<Duration> lease) implements LockSubject {
    private static final long NEVER_ENDS = -1;

    @Override
    public String name() {
        return lease.isPresent() ? "redisson-semaphore-leased" : "redisson-semaphore";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.SEMAPHORE, Claimed.PARTIAL_GIVE_BACK, Claimed.FIXED_LEASE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        RedisEndpoint endpoint = RedisEndpoint.of(uri);
        long usual = lease.map(Duration::toMillis).orElse(NEVER_ENDS);
        return new User(endpoint, endpoint.redisson(RedissonLock.USUAL_WATCHDOG, false), usual);
    }

    private record User(RedisEndpoint endpoint, RedissonClient client, long usual) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return tryAcquire(lock, LockMode.EXCLUSIVE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws InterruptedException {
            return tryAcquire(lock, mode, wait, usual);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease)
                throws InterruptedException {
            return tryAcquire(lock, mode, wait, lease.toMillis());
        }

        private Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, long leaseMillis)
                throws InterruptedException {
            RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore(endpoint.key("permits", lock));
            permits.trySetPermits(mode.capacity());
            @Nullable
            List<String> taken = permits.tryAcquire(mode.weight(), wait.toMillis(), leaseMillis, TimeUnit.MILLISECONDS);
            return taken == null || taken.isEmpty() ? Optional.empty() : Optional.of(new Held(permits, taken));
        }

        /** As {@link RedissonLock} does it. */
        @Override
        public void close() {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private record Held(RPermitExpirableSemaphore permits, List<String> ids) implements Hold {

        @Override
        public boolean release() {
            return permits.tryRelease(ids) == ids.size();
        }

        @Override
        public Hold giveBack(int count) {
            permits.release(ids.subList(0, count));
            return new Held(permits, ids.subList(count, ids.size()));
        }
    }
}
