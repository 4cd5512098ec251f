package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The values of the backend contract, translated into those of {@code io.hasp}. */
class TranslationTest {
    private static BackendException exception(BackendFailure failure) {
        return ClientContext.failed("could not lock 'a'", failure, new LockName("a"));
    }

    private static BackendFailure failure(@Nullable Throwable cause) {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "nobody answers", cause);
    }

    @ParameterizedTest
    @EnumSource
    void each_kind_of_failure_has_its_counterpart(BackendFailure.Kind kind) {
        BackendFailure failure = new BackendFailure(kind, BackendFailure.Outcome.UNKNOWN, "refused", null);
        assertThat(exception(failure).kind()).hasToString(kind.toString());
        assertThat(exception(failure)).hasMessage("could not lock 'a': refused");
    }

    @Test
    void a_failure_carries_the_name_of_its_lock() {
        assertThat(exception(failure(null)).lockName()).contains("a");
        assertThat(exception(failure(null)).fencingToken()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void each_outcome_of_a_failure_has_its_counterpart(BackendFailure.Outcome outcome) {
        BackendFailure failure = new BackendFailure(BackendFailure.Kind.DENIED, outcome, "refused", null);
        assertThat(exception(failure).outcome()).hasToString(outcome.toString());
    }

    @Test
    void the_cause_is_what_the_client_library_threw_and_not_the_contracts_exception() {
        Error fault = new StackOverflowError();
        assertThat(exception(failure(fault))).cause().isSameAs(fault);
        assertThat(exception(failure(new IOException("connection reset")))).hasNoCause();
        assertThat(exception(failure(null))).hasNoCause();
    }

    @Test
    void each_capability_has_its_counterpart() {
        for (Capabilities.Ordering ordering : Capabilities.Ordering.values()) {
            for (Capabilities.Enforcement enforcement : Capabilities.Enforcement.values()) {
                LockCapabilities translated = new LockCapabilities(Capabilities.of(ordering, enforcement));
                assertThat(translated.ordering()).hasToString(ordering.toString());
                assertThat(translated.enforcement()).hasToString(enforcement.toString());
                assertThat(translated.survives()).isEmpty();
                assertThat(translated.sharedLocks()).isFalse();
                assertThat(translated.mayEvictLocks()).isFalse();
            }
        }
        Capabilities all = Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.SESSION)
                .surviving(Capabilities.Survives.values());
        assertThat(new LockCapabilities(all).survives())
                .extracting(LockCapabilities.Survives::name)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Capabilities.Survives.values())
                        .map(Capabilities.Survives::name)
                        .toList());
        assertThat(new LockCapabilities(all))
                .isEqualTo(new LockCapabilities(all))
                .isNotEqualTo(new LockCapabilities(all.evicting()))
                .isNotEqualTo(new LockCapabilities(
                        Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.SESSION)));
    }

    @Test
    void eviction_is_told_whatever_else_is_declared() {
        Capabilities evicting = Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE)
                .evicting()
                .sharing()
                .recalling()
                .surviving(Capabilities.Survives.FAILOVER);
        assertThat(evicting.toString()).endsWith(", recalls, evicts]");
        LockCapabilities translated = new LockCapabilities(evicting);
        assertThat(translated.mayEvictLocks()).isTrue();
        assertThat(translated.toString()).endsWith(", kept locks, may evict locks]");
    }

    /** The system's, which is not needed. */
    private static final class Unused implements Timing {
        @Override
        public long nanoTime() {
            throw new AssertionError();
        }

        @Override
        public Timing.Timer schedule(Duration delay, Runnable task) {
            throw new AssertionError();
        }
    }

    @Test
    void a_clock_that_is_given_is_asked_schedules_and_withdraws() {
        List<Object> scheduled = new ArrayList<>();
        AtomicBoolean withdrawn = new AtomicBoolean();
        GivenTiming timing = new GivenTiming(
                new ClientTiming() {
                    @Override
                    public long nanoTime() {
                        return 42;
                    }

                    @Override
                    public ClientTiming.Timer schedule(Duration delay, Runnable task) {
                        scheduled.add(delay);
                        scheduled.add(task);
                        return () -> withdrawn.set(true);
                    }
                },
                new Unused());
        AtomicInteger runs = new AtomicInteger();
        Timing.Timer timer = timing.schedule(Duration.ofSeconds(3), runs::incrementAndGet);
        assertThat(timing.nanoTime()).isEqualTo(42);
        assertThat(scheduled).first().isEqualTo(Duration.ofSeconds(3));
        assertThat(runs).hasValue(0);
        ((Runnable) scheduled.get(1)).run();
        assertThat(runs).hasValue(1);
        assertThat(withdrawn).isFalse();
        timer.cancel();
        assertThat(withdrawn).isTrue();
    }
}
