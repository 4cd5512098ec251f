package io.hasp.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class GuardedBackendTest {
    /** Answers at once: to each holder first that others hold the lock, then with a grant. */
    private static class AtSecondAttempt implements LockBackend {
        private final Set<HolderId> seen = new HashSet<>();

        @Override
        public Capabilities capabilities() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return CompletableFuture.completedFuture(
                    seen.add(claim.holder())
                            ? new Attempt.Busy(Duration.ofSeconds(1))
                            : new Attempt.Granted(Grant.of(claim, 1, claim.lease())));
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return CompletableFuture.completedFuture(Released.RELEASED);
        }

        @Override
        public void close() {}
    }

    private static GuardedBackend guarded(LockBackend backend) {
        return new GuardedBackend(backend, new Outages(notice -> {}, System::nanoTime), null);
    }

    private static Claim claim(int number) {
        return Claim.renewedLease(new LockName("a"), new HolderId("holder-" + number), Duration.ofSeconds(30), true);
    }

    /** Marks each grant as recallable, although no claim requested that. */
    private static final class AlwaysRecallable extends AtSecondAttempt {
        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return CompletableFuture.completedFuture(new Attempt.Granted(Grant.of(claim, 1, claim.lease()), true));
        }
    }

    @Test
    void a_grant_is_recallable_only_if_it_was_to_be_kept() {
        GuardedBackend guard = guarded(new AlwaysRecallable());
        assertThat(guard.acquire(claim(1).withKeeps(true), signal -> {})).isCompleted();
        assertThat(guard.acquire(claim(2), signal -> {})).isCompletedExceptionally();
    }

    @Test
    void a_holder_that_was_granted_after_a_wait_and_passed_its_lock_on_is_not_remembered() throws Exception {
        GuardedBackend guard = guarded(new AtSecondAttempt());
        for (int i = 0; i < 100; i++) {
            guard.acquire(claim(i), signal -> {});
            guard.acquire(claim(i), signal -> {});
            guard.transfer(Grant.of(claim(i), 1, Duration.ofSeconds(30)), claim(1_000 + i), signal -> {});
            guard.release(claim(1_000 + i));
        }
        Field asked = GuardedBackend.class.getDeclaredField("asked");
        asked.setAccessible(true);
        assertThat((Collection<?>) asked.get(guard)).isEmpty();
    }
}
