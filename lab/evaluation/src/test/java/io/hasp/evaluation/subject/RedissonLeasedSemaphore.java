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
 * Redisson's {@code RPermitExpirableSemaphore} with a lease time for its permits and without renewal. The other choice
 * of its users, permits that never end, is {@link RedissonShares#permits}.
 *
 * @param uri of the server, in Hasp's form
 * @param lease the time of each hold
 */
record RedissonLeasedSemaphore(String uri, Duration lease) implements LockSubject {

    @Override
    public String name() {
        return "redisson-semaphore-leased";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.SEMAPHORE, Claimed.RENEWAL);
    }

    @Override
    public LockUser open() {
        RedisEndpoint endpoint = RedisEndpoint.of(uri);
        return new User(endpoint, endpoint.redisson(RedissonLock.USUAL_WATCHDOG, false), lease);
    }

    private record User(RedisEndpoint endpoint, RedissonClient client, Duration lease) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            return tryAcquire(lock, LockMode.EXCLUSIVE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws InterruptedException {
            RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore(endpoint.key("permits", lock));
            permits.trySetPermits(mode.capacity());
            @Nullable
            List<String> taken =
                    permits.tryAcquire(mode.weight(), wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS);
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
    }
}
