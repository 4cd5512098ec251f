package io.hasp.evaluation.subject;

import com.zaxxer.hikari.HikariDataSource;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's {@code JdbcLockRegistry}, one for each process, on a pool of HikariCP with its defaults, and with the insert that its
 * documentation advises for PostgreSQL. Waiters poll every 100 ms, its default. It renews no lock by itself.
 *
 * @param uri of the database, in Hasp's form
 * @param expiry after which a silent client's locks are free
 */
record SpringJdbc(String uri, Duration expiry) implements LockSubject {
    /** Equal to the other subjects' leases. The registry renews no lock, so its default of 10 s would end long holds. */
    static final Duration USUAL_EXPIRY = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "spring-jdbc";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE);
    }

    @Override
    public LockUser open() {
        HikariDataSource pool = PostgresEndpoint.of(uri).pool();
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return new User(new JdbcLockRegistry(repository, expiry), repository, pool);
    }

    private record User(JdbcLockRegistry registry, DefaultLockRepository repository, HikariDataSource pool)
            implements LockUser {

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws InterruptedException {
            DistributedLock mutex = registry.obtain(lock);
            return mutex.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(() -> unlocked(mutex))
                    : Optional.empty();
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws InterruptedException {
            DistributedLock mutex = registry.obtain(lock);
            return mutex.tryLock(wait, lease) ? Optional.of(() -> unlocked(mutex)) : Optional.empty();
        }

        /** The first exception means that the lock had expired, the second that the thread does not hold it. */
        private static boolean unlocked(DistributedLock mutex) {
            try {
                mutex.unlock();
                return true;
            } catch (ConcurrentModificationException | IllegalStateException e) {
                return false;
            }
        }

        @Override
        public void close() {
            repository.close();
            pool.close();
        }
    }
}
