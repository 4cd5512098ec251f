package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.ZooKeeperEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Curator's {@code InterProcessSemaphoreV2}, on a client as {@link CuratorMutex} has it. It does not tell whether a lease that is
 * returned was still held; a second return counts as none.
 *
 * @param uri of the servers, as Hasp takes it
 * @param session the session timeout
 */
record CuratorSemaphore(String uri, Duration session) implements LockSubject {

    @Override
    public String name() {
        return "curator-semaphore";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.SEMAPHORE, Claimed.PARTIAL_GIVE_BACK, Claimed.RENEWAL);
    }

    @Override
    public Duration silence() {
        return session.plus(CuratorMutex.TWO_TICKS);
    }

    @Override
    public LockUser open() throws InterruptedException {
        ZooKeeperEndpoint endpoint = ZooKeeperEndpoint.of(uri);
        return new User(endpoint.curator(session), endpoint.path() + "/curator-semaphore/");
    }

    private record User(CuratorFramework client, String folder) implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            return tryAcquire(lock, LockMode.EXCLUSIVE, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(client, folder + lock, mode.capacity());
            @Nullable Collection<Lease> leases = semaphore.acquire(mode.weight(), wait.toNanos(), TimeUnit.NANOSECONDS);
            return leases == null
                    ? Optional.empty()
                    : Optional.of(new Held(semaphore, List.copyOf(leases), new AtomicBoolean()));
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(InterProcessSemaphoreV2 semaphore, List<Lease> leases, AtomicBoolean returned) implements Hold {

        @Override
        public boolean release() {
            boolean first = returned.compareAndSet(false, true);
            if (first) {
                semaphore.returnAll(leases);
            }
            return first;
        }

        @Override
        public Hold giveBack(int count) {
            returned.set(true);
            semaphore.returnAll(new ArrayList<>(leases.subList(0, count)));
            return new Held(semaphore, leases.subList(count, leases.size()), new AtomicBoolean());
        }
    }
}
