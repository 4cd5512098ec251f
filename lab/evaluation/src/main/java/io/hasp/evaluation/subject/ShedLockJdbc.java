package io.hasp.evaluation.subject;

import com.zaxxer.hikari.HikariDataSource;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock on PostgreSQL, through {@code JdbcTemplate} on a pool of HikariCP with its defaults, by the database's clock as its documentation
 * advises. As {@link ShedLock}, it skips a busy lock and renews none. Rows have the holder's host by default, which all clients here share, so
 * each client has a name of its own.
 *
 * @param uri of the database, in Hasp's form
 * @param most {@code lockAtMostFor}, which has no default
 */
record ShedLockJdbc(String uri, Duration most) implements LockSubject {

    @Override
    public String name() {
        return "shedlock-jdbc";
    }

    @Override
    public Set<Claimed> claims() {
        return Set.of(Claimed.FIXED_LEASE);
    }

    @Override
    public LockUser open() {
        HikariDataSource pool = PostgresEndpoint.of(uri).pool();
        LockProvider provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .withLockedByValue(UUID.randomUUID().toString())
                .build());
        return new User(provider, pool, most);
    }

    private record User(LockProvider provider, HikariDataSource pool, Duration most) implements LockUser {

        /** One attempt, whatever the wait. */
        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) {
            return tryAcquire(lock, wait, most);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) {
            return ShedLock.acquired(provider, lock, lease);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
