package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants that are good for much less than their lease at first, as on Redis after a direct grant. */
class BriefGrantTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration BRIEF = LEASE.dividedBy(24);

    private final VirtualTime time = new VirtualTime();
    private final ScriptedBackend backend = new ScriptedBackend(new MemoryServer(time).link());
    private final LockClient client =
            LockClient.over(backend, ClientOptions.defaults().timing(time).executor(Runnable::run));

    @Test
    void one_is_renewed_early_and_then_at_the_pace_of_its_lease() {
        backend.onAcquire = (claim, call) -> call.get().thenApply(BriefGrantTest::brief);
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        assertThat(lease.remaining()).isLessThan(BRIEF);

        time.advance(BRIEF.dividedBy(10));
        assertThat(backend.renewed).hasSize(1);
        assertThat(lease.remaining()).isGreaterThan(LEASE.dividedBy(2));

        time.advance(LEASE.multipliedBy(2).dividedBy(5));
        assertThat(backend.renewed).as("renewals before half of the lease").hasSize(1);
        time.advance(LEASE.multipliedBy(3));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    private static Attempt brief(Attempt attempt) {
        Grant grant = ((Attempt.Granted) attempt).grant();
        return new Attempt.Granted(grant.withValidity(BRIEF));
    }

    @Test
    void a_claim_says_whether_one_will_do() {
        List<Boolean> renewed = new ArrayList<>();
        backend.onAcquire = (claim, call) -> {
            renewed.add(claim.renewed());
            return call.get();
        };
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(client.lock("b", LockOptions.defaults().fixedLease(LEASE)).tryAcquire())
                .isPresent();
        assertThat(renewed).containsExactly(true, false);
    }
}
