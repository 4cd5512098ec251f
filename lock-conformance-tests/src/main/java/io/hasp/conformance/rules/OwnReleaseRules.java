package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.BackendException;
import io.hasp.DistributedLock;
import io.hasp.DistributedReadWriteLock;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * AP11: a call without a wait, or with a short one, is empty only if another client holds the lock; a holder in the
 * course of its own release does not count.
 */
public interface OwnReleaseRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * The release is in progress when the lock is requested again.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap11_lock_whose_own_release_is_under_way_is_not_another_holders() throws Exception {
        try (LockClient client = subject().connect()) {
            for (List<DistributedLock> pair : pairs(client)) {
                for (int i = 0; i < Tier.count(40, 400); i++) {
                    CompletableFuture<ReleaseResult> released =
                            pair.get(0).acquire().releaseAsync();
                    Duration wait = i % 2 == 0 ? Duration.ZERO : Duration.ofNanos(1);
                    assertThat(pair.get(1).tryAcquire(wait))
                            .as("a wait of " + wait + " for a lock whose own release was under way, round " + i)
                            .hasValueSatisfying(Lease::release);
                    assertThat(released.get(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS))
                            .isEqualTo(ReleaseResult.RELEASED);
                }
            }
        }
    }

    /** Pairs of a released lock and a lock that does not fit beside it. */
    private List<List<DistributedLock>> pairs(LockClient client) {
        List<List<DistributedLock>> pairs = new ArrayList<>();
        DistributedLock exclusive = client.lock("rule-" + UUID.randomUUID());
        pairs.add(List.of(exclusive, exclusive));
        if (subject().claims().contains(Claimed.READ_WRITE)) {
            DistributedReadWriteLock both = client.readWriteLock("rule-" + UUID.randomUUID());
            pairs.add(List.of(both.read(), both.write()));
            pairs.add(List.of(both.write(), both.read()));
            pairs.add(List.of(both.write(), both.write()));
        }
        if (subject().claims().contains(Claimed.SEMAPHORE)) {
            String permits = "rule-" + UUID.randomUUID();
            pairs.add(List.of(
                    client.semaphore(permits, 3).permits(2),
                    client.semaphore(permits, 3).permits(2)));
        }
        return pairs;
    }

    /**
     * The own lease came to its end, and is still given back.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap11_lock_whose_own_lease_is_over_is_not_another_holders() throws Exception {
        LockOptions brief = LockOptions.defaults().maxHold(Timings.units(1));
        try (LockClient client = subject().connect()) {
            DistributedLock lock = client.lock("rule-" + UUID.randomUUID(), brief);
            for (int i = 0; i < Tier.count(5, 10); i++) {
                Lease lease = lock.acquire();
                while (lease.state() != LeaseState.LOST) {
                    Thread.onSpinWait();
                }
                assertThat(lock.tryAcquire())
                        .as("a lock whose own lease is over, round " + i)
                        .hasValueSatisfying(Lease::release);
            }
        }
    }

    /**
     * A lease is closed during an outage. The lock is requested after the outage, before or after the release reaches
     * the server.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void ap11_lock_that_was_closed_in_an_outage_is_not_another_holders() throws Exception {
        Server server = faults().server();
        try (LockClient client = subject().connect()) {
            for (int i = 0; i < 3; i++) {
                DistributedLock lock = client.lock("rule-" + UUID.randomUUID());
                Lease lease = lock.acquire();
                server.pause();
                try {
                    lease.close();
                } finally {
                    server.resume();
                }
                Awaitility.await()
                        .atMost(Timings.longWait())
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> answers(lock, "a lock that was closed in an outage, which is over"));
            }
        }
    }

    /** Checks that the lock is free if the server answers; returns false if it does not. */
    private static boolean answers(DistributedLock lock, String what) {
        try {
            assertThat(lock.tryAcquire()).as(what).hasValueSatisfying(Lease::release);
            return true;
        } catch (BackendException outage) {
            return false;
        }
    }
}
