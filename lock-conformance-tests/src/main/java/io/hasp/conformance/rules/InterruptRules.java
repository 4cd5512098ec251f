package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.LeaseLostException;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** LE: the interrupt of work whose lease was lost. */
public interface InterruptRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * No request reaches the server any more. The client's own clock stops the work before the server grants the lock
     * to another client, up to the lateness of this machine's threads.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void le15_work_of_a_client_that_is_cut_off_is_interrupted_before_another_holds() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(proxied.subject());
                MachineLateness lateness = new MachineLateness();
                LockClient client =
                        ((HaspSubject) proxied.subject()).connect(options -> options.onLoss(OnLoss.INTERRUPT));
                LockUser other = subject().open()) {
            CountDownLatch begun = new CountDownLatch(1);
            RuleRun.Task<Long> work = run.start(() -> interruptedAt(client, run.lock(), begun));
            assertThat(begun.await(Timings.longWait().toMillis(), TimeUnit.MILLISECONDS))
                    .as("the work began")
                    .isTrue();
            proxied.proxy().set(Direction.REQUESTS, TrafficPolicy.DROP);
            Optional<Hold> next = other.tryAcquire(run.lock(), proxied.lease().plus(Timings.longWait()));
            long granted = System.nanoTime();
            proxied.proxy().heal();
            assertThat(next).as("the lock of a client that is cut off").isPresent();
            assertThat(Duration.ofNanos(work.get() - granted))
                    .as("from the next grant to the interrupt")
                    .isLessThan(lateness.allowance());
        }
    }

    /** Returns the moment at which the work was interrupted. */
    private static long interruptedAt(LockClient client, String lock, CountDownLatch begun) {
        long[] at = new long[1];
        assertThatThrownBy(() -> client.lock(lock).run(lease -> {
                    begun.countDown();
                    try {
                        TimeUnit.HOURS.sleep(1);
                    } finally {
                        at[0] = System.nanoTime();
                    }
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
        assertThat(Thread.currentThread().isInterrupted())
                .as("interrupted after the call")
                .isFalse();
        return at[0];
    }
}
