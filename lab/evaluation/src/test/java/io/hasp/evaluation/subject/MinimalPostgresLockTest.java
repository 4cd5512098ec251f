package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.evaluation.servers.PostgresEndpoint;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

@InTier(Tier.STANDARD)
class MinimalPostgresLockTest {
    private static final String NOT_ON_DISK =
            "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn())";

    /** As Hasp's: a baseline that did more than a lock does would not be the least work. */
    @Test
    void a_grant_waits_for_the_disk_and_a_release_does_not() throws Exception {
        cycles(false, notOnDisk -> assertThat(notOnDisk).isPositive());
    }

    @Test
    void each_statement_of_the_durable_one_waits_for_the_disk() throws Exception {
        cycles(true, notOnDisk -> assertThat(notOnDisk).isZero());
    }

    private static void cycles(boolean durable, LongConsumer afterRelease) throws Exception {
        try (PostgresServer server = PostgresServer.start("wal_writer_delay=10s")) {
            PostgresEndpoint.of(server.uri()).create();
            LockSubject lock = new MinimalPostgresLock(server.uri(), MinimalPostgresLock.USUAL_LEASE, durable);
            try (LockUser user = lock.open()) {
                Hold hold = user.tryAcquire("lock", Duration.ZERO).orElseThrow();
                assertThat(server.run(NOT_ON_DISK)).as("of a grant").isZero();

                assertThat(hold.release()).isTrue();
                afterRelease.accept(server.run(NOT_ON_DISK));

                assertThat(user.tryAcquire("lock", Duration.ZERO)).as("free").isPresent();
                assertThat(server.run(NOT_ON_DISK)).as("of the next grant").isZero();
            }
        }
    }
}
