package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.BackendException;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.PrintedTrace;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.TrickyNames;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** AP: the promises of Hasp's own API, on a real backend. */
public interface ApiRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * While the server is down or silent, a wait ends with the backend's error, no later than an attempt without a wait
     * at that moment would. A program that prints the error prints few lines besides its own stack.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void ap2_wait_during_an_outage_ends_on_time_with_the_backends_error() throws Exception {
        Server server = faults().server();
        try (LockClient client = subject().connect()) {
            DistributedLock lock = client.lock("rule-" + UUID.randomUUID());
            lock.acquire().release();
            Duration silent;
            server.pause();
            try {
                silent = assertOutageOnTime(lock, Timings.units(3), Duration.ZERO);
            } finally {
                server.resume();
            }
            server.kill();
            try {
                // A client library may find out at once, or when an attempt has waited for as long as it waits for a
                // silent server.
                assertOutageOnTime(lock, Timings.units(3), silent);
            } finally {
                server.restart();
            }
        }
    }

    /** Returns for how long one attempt takes, at the least what is given. */
    private static Duration assertOutageOnTime(DistributedLock lock, Duration wait, Duration least) {
        try (MachineLateness lateness = new MachineLateness()) {
            Duration one = untilOutage(() -> lock.tryAcquire());
            Duration attempt = one.compareTo(least) > 0 ? one : least;
            for (int i = 0; i < 2; i++) {
                assertThat(untilOutage(() -> lock.tryAcquire(wait)))
                        .as("a wait of " + wait + " where a single attempt takes " + attempt)
                        .isGreaterThan(wait.minusMillis(1))
                        .isLessThan(wait.plus(attempt).plus(Timings.tolerance()).plus(lateness.allowance()));
            }
            return attempt;
        }
    }

    private static Duration untilOutage(ThrowingCallable call) {
        long start = System.nanoTime();
        Throwable thrown = catchThrowable(call);
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        assertThat(thrown).isInstanceOf(BackendException.class);
        assertThat(PrintedTrace.beyondTheStackOf(ApiRules.class, thrown))
                .as("what is printed of an outage")
                .hasSizeLessThanOrEqualTo(5);
        return time;
    }

    /**
     * A longer wait is never worse than none: the attempt that it has made is awaited.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap2_wait_of_any_length_on_a_free_lock_succeeds() throws Exception {
        try (LockClient client = subject().connect()) {
            DistributedLock lock = client.lock("rule-" + UUID.randomUUID());
            for (int i = 0; i < Tier.count(20, 1_000); i++) {
                for (int micros : new int[] {0, 1, 10, 100, 500, 1_000, 3_000, 9_000}) {
                    Optional<Lease> lease = lock.tryAcquire(Duration.ofNanos(micros * 1_000L));
                    assertThat(lease)
                            .as("a wait of %s µs for a free lock", micros)
                            .isPresent();
                    assertThat(lease.orElseThrow().release()).isEqualTo(ReleaseResult.RELEASED);
                }
            }
        }
    }

    /**
     * Meaningless waits and leases are refused before any request; very long ones are used as given.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap3_durations_are_rejected_or_taken_as_documented() throws Exception {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        try (LockClient client = subject().connect()) {
            DistributedLock lock = client.lock("rule-" + UUID.randomUUID());
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofNanos(-1)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("PT-0.000000001S");
            for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(1), endless)) {
                Lease lease = granted(lock, wait, "wait of " + wait);
                assertThat(lock.tryAcquire(Duration.ofNanos(1))).as("held").isEmpty();
                lease.release();
            }
            LockOptions options = LockOptions.defaults();
            for (Duration lease : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1), endless)) {
                assertThatThrownBy(() -> options.fixedLease(lease))
                        .isInstanceOf(InvalidArgumentException.class)
                        .hasMessageContaining(lease.toString());
            }
            for (Duration lease : List.of(Duration.ofMillis(10), Duration.ofDays(365))) {
                granted(client.lock(lock.name(), options.fixedLease(lease)), Timings.tolerance(), "lease of " + lease)
                        .release();
            }
        }
    }

    /**
     * A wait or a lease that is too short for any answer ends with an exception, as documented. The remains of that
     * attempt go away, and a later one is granted.
     */
    private static Lease granted(DistributedLock lock, Duration wait, String terms) {
        return Awaitility.await("a free lock with a " + terms)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .atMost(Timings.longWait())
                .ignoreExceptionsInstanceOf(BackendException.class)
                .until(() -> lock.tryAcquire(wait), Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Names outside the rule are refused; inside it, two different names never share a lock.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap4_names_are_rejected_or_mapped_injectively() throws Exception {
        try (LockClient client = subject().connect();
                LockClient other = subject().connect()) {
            for (String name : List.of("", "x".repeat(513), "€".repeat(171), "a\0b", "\ud800", "a\udc00")) {
                assertThatThrownBy(() -> client.lock(name)).isInstanceOf(InvalidArgumentException.class);
            }
            List<Lease> held = new ArrayList<>();
            for (String name : TrickyNames.ALL) {
                Optional<Lease> lease = client.lock(name).tryAcquire();
                assertThat(lease)
                        .as("'" + name + "' while " + held + " are held")
                        .isPresent();
                held.add(lease.orElseThrow());
            }
            for (String name : TrickyNames.ALL) {
                assertThat(other.lock(name).tryAcquire())
                        .as("'" + name + "' is held by another client")
                        .isEmpty();
            }
            assertThat(held).allSatisfy(lease -> assertThat(lease.state()).isEqualTo(LeaseState.HELD));
            held.forEach(Lease::release);
        }
    }
}
