package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockCapabilities;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** LE10: leases on Redis are kept by the server's clock, as the capabilities say. Its jumps are those of a key's expiry. */
interface ServerClockRules extends RedisConformance {

    /**
     * For a moment two clients may believe that they hold the lock. The first is notified at its next renewal, and its token is the
     * smaller one.
     */
    @Test
    @MostlyWaits
    default void le10_server_clock_that_jumps_forward_ends_a_lease_and_its_holder_is_told() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            assertThat(client.capabilities().enforcement()).isEqualTo(LockCapabilities.Enforcement.LEASE);
            Lease early = client.lock(name).acquire();
            expireIn(name, Duration.ofMillis(1));
            Lease next = other.lock(name).tryAcquire(Timings.tolerance()).orElseThrow();
            assertThat(next.fencingToken()).isGreaterThan(early.fencingToken());
            await("the holder is told")
                    .atMost(Timings.lease().plus(Timings.tolerance()))
                    .until(() -> early.state() == LeaseState.LOST);
            assertThat(early.release()).isEqualTo(ReleaseResult.LOST);
            assertThat(next.state()).isEqualTo(LeaseState.HELD);
            assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    /** The holder notices nothing, and its release does not wait for the key's new end. */
    @Test
    @MostlyWaits
    default void le10_server_clock_that_jumps_backward_prolongs_a_lease_until_its_release() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            Lease lease = client.lock(name).acquire();
            expireIn(name, Duration.ofHours(1));
            long end = System.nanoTime() + Timings.lease().multipliedBy(2).toNanos();
            await().atMost(Timings.longWait()).until(() -> {
                assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                assertThat(other.lock(name).tryAcquire()).isEmpty();
                return System.nanoTime() - end > 0;
            });
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(other.lock(name).tryAcquire(Timings.tolerance())).isPresent();
        }
    }

    private void expireIn(String name, Duration time) {
        String key = new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(name));
        assertThat(server().command("PEXPIRE", key, Long.toString(time.toMillis())))
                .isEqualTo(1L);
    }
}
