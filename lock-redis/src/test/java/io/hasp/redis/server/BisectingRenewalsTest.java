package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Grants of two kinds, which can't be renewed in one call. */
class BisectingRenewalsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final List<Grant> FIRST = List.of(grant("a"), grant("b"));
    private static final List<Grant> SECOND = List.of(grant("c"));

    private final List<List<Grant>> asked = new ArrayList<>();

    @Test
    void both_are_asked_for_and_answered_in_their_order() {
        List<Renewal> renewals = renew(grants -> CompletableFuture.completedStage(grants.stream()
                .<Renewal>map(grant -> new Renewal.Lost(grant.claim().holder().value()))
                .toList()));
        assertThat(asked).isEqualTo(List.of(FIRST, SECOND));
        assertThat(renewals).isEqualTo(List.of(new Renewal.Lost("a"), new Renewal.Lost("b"), new Renewal.Lost("c")));
    }

    @Test
    void after_an_outage_the_second_is_not_asked_for() {
        List<Renewal> renewals =
                renew(grants -> CompletableFuture.failedStage(RedisFailures.silent("s", new IOException("cut"))));
        assertThat(asked).isEqualTo(List.of(FIRST));
        assertThat(renewals).hasSize(3).hasOnlyElementsOfType(Renewal.Unknown.class);
    }

    private List<Renewal> renew(Server server) {
        BisectingRenewals renewals = new BisectingRenewals("s", new Now(), grants -> {
            asked.add(grants);
            return server.renew(grants);
        });
        return renewals.renew(FIRST, SECOND).toCompletableFuture().join();
    }

    private static Grant grant(String holder) {
        return Grant.of(Claim.renewedLease(new LockName("x"), new HolderId(holder), LEASE, false), 1, LEASE);
    }

    @FunctionalInterface
    private interface Server {
        CompletionStage<List<Renewal>> renew(List<Grant> grants);
    }

    private static final class Now implements Timing {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
