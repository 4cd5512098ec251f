package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.OnLoss;
import io.hasp.conformance.faults.StackExhaustion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that an error of its backend has ended, as its users see it. */
@Timeout(60)
class FailedClientTest {
    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final LockClient client = LockClient.over(
            backend, ClientOptions.defaults().onLoss(OnLoss.INTERRUPT).addListener(events::add));
    private final LockClient other = LockClient.over(server.link(), ClientOptions.defaults());
    private final Error error = new NoClassDefFoundError("of the test");

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    private void fail() {
        backend.onAcquire = (claim, call) -> {
            throw error;
        };
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> client.lock("fails").tryAcquire())
                .withMessageContaining("failed")
                .withCause(error);
    }

    @Test
    void work_is_interrupted_and_its_call_tells_of_the_loss() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Void> worker = CompletableFuture.runAsync(() -> {
            try {
                client.lock("a").run(lease -> {
                    begun.countDown();
                    TimeUnit.MINUTES.sleep(1);
                });
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        begun.await();

        fail();

        assertThat(worker)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class)
                .withMessageContaining("of the test");
    }

    @Test
    void leases_are_lost_and_told_and_everything_else_fails_with_the_error() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<LeaseState> told = new CompletableFuture<>();
        lease.onChange(Runnable::run, told::complete);
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();

        fail();

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(told).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(LeaseState.LOST);
        assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClientClosedException.class)
                .hasRootCause(error);
        assertThatThrownBy(lease::release)
                .isInstanceOf(ClientClosedException.class)
                .hasCause(error);
        lease.close();
        assertThatThrownBy(client::disconnect).hasCause(error);
        await().until(() -> backend.closed);
        await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));
        // Nothing is released: the lock ends with its lease.
        assertThat(backend.released).isEmpty();
        assertThat(other.lock("a").tryAcquire()).isEqualTo(Optional.empty());
    }

    @Test
    void a_deep_recursion_of_the_program_does_not_end_the_client() throws InterruptedException {
        StackExhaustion.lock(client, 4);
    }

    @Test
    void a_close_returns_when_the_client_has_ended() {
        assertThat(client.lock("a").tryAcquire()).isPresent();
        fail();
        client.close();
        assertThat(backend.closed).isTrue();
        client.closeNow();
    }
}
