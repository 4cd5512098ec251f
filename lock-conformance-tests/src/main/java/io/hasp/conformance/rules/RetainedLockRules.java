package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** LE: a lock that stays taken after its release, for backends that declare it. */
public interface RetainedLockRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * One client releases the lock at once, another one closes while it holds it. Where that can't be done, it is refused.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le16_lock_stays_taken_for_as_long_as_asked_although_its_client_releases_it_or_closes()
            throws Exception {
        Duration least = Timings.lease().multipliedBy(2);
        LockOptions options = LockOptions.defaults().takenAtLeast(least);
        try (RuleRun run = new RuleRun(subject());
                LockClient releasing = subject().connect(defaults -> defaults);
                LockClient closing = subject().connect(defaults -> defaults);
                LockUser other = subject().open()) {
            String second = run.lock() + "-closed";
            if (!releasing.capabilities().retainedLocks()) {
                assertThatThrownBy(() -> releasing.lock(run.lock(), options))
                        .isInstanceOf(UnsupportedCapabilityException.class)
                        .hasMessageContaining("'" + run.lock() + "' can't be taken for at least " + least);
                return;
            }
            long begun = System.nanoTime();
            Lease released = releasing.lock(run.lock(), options).acquire();
            assertThat(closing.lock(second, options).acquire().fencingToken()).isPositive();
            released.release();
            closing.closeNow();
            for (String lock : new String[] {run.lock(), second}) {
                Hold next = other.tryAcquire(lock, least.plus(Timings.longWait()))
                        .orElseThrow(() -> new AssertionError("a lock stays taken for longer than " + least));
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("from the grant of a lock for at least that time to the next one")
                        .isGreaterThanOrEqualTo(least);
                next.release();
            }
        }
    }
}
