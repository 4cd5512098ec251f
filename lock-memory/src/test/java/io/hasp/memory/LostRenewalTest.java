package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LE4: a renewal that is lost, with or without its connection, is repeated before the deadline of its lease. */
class LostRenewalTest {
    /** The usual command timeout. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final VirtualTime time = new VirtualTime();
    private final ScriptedBackend backend = new ScriptedBackend(new MemoryServer(time).link());

    private Lease lease(Duration length) {
        return LockClient.over(
                        backend,
                        ClientOptions.defaults()
                                .timing(time)
                                .executor(Runnable::run)
                                .renewedLease(length))
                .lock("a")
                .tryAcquire()
                .orElseThrow();
    }

    /** Loses the first renewal; its failure arrives after some time. */
    private void loseFirst(Duration after) {
        backend.onRenew = (held, call) -> backend.renewed.size() > 1 ? call.get() : failure(after);
    }

    private CompletionStage<List<Renewal>> failure(Duration after) {
        CompletableFuture<List<Renewal>> lost = new CompletableFuture<>();
        BackendFailure failure =
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "scripted", null);
        time.schedule(after, () -> lost.completeExceptionally(failure));
        return lost;
    }

    private void staysHeld(Lease lease, Duration length) {
        time.advance(length.multipliedBy(99).dividedBy(100));
        assertThat(backend.renewed).as("renewals within the first lease").hasSizeGreaterThan(1);
        time.advance(length.multipliedBy(2));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @ParameterizedTest
    @ValueSource(longs = {4_000, 6_000, 9_999, 10_000, 12_000, 30_000, 86_400_000})
    void one_without_an_answer_is_repeated_after_the_command_timeout(long millis) {
        Duration length = Duration.ofMillis(millis);
        Lease lease = lease(length);
        loseFirst(TIMEOUT);
        staysHeld(lease, length);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 9_999, 10_000, 30_000, 86_400_000})
    void one_that_fails_at_once_is_repeated_before_the_lease_would_be_suspect(long millis) {
        Duration length = Duration.ofMillis(millis);
        Lease lease = lease(length);
        loseFirst(Duration.ZERO);
        time.advance(length.multipliedBy(13).dividedBy(20));
        assertThat(backend.renewed)
                .as("renewals before a third of the lease is left")
                .hasSize(2);
        staysHeld(lease, length);
    }

    @Test
    void one_without_an_answer_for_two_fifths_of_the_lease_is_repeated() {
        Duration length = Duration.ofSeconds(30);
        Lease lease = lease(length);
        loseFirst(length.multipliedBy(2).dividedBy(5));
        staysHeld(lease, length);
    }

    @Test
    void a_long_lease_is_renewed_at_half() {
        lease(Duration.ofSeconds(30));
        time.advance(Duration.ofMillis(14_900));
        assertThat(backend.renewed).isEmpty();
        time.advance(Duration.ofMillis(200));
        assertThat(backend.renewed).hasSize(1);
    }
}
