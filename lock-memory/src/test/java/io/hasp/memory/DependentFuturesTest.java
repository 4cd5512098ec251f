package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A future derived from that of an acquisition withdraws when its caller completes it: the lease would be dropped. */
class DependentFuturesTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final LockClient client = client();
    private final LockClient other = client();

    private LockClient client() {
        return LockClient.over(
                server.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));
    }

    private record Derived(String how, UnaryOperator<CompletableFuture<?>> derive) {
        @Override
        public String toString() {
            return how;
        }
    }

    static Stream<Derived> derived() {
        return Stream.of(
                new Derived("itself", future -> future),
                new Derived("thenApply", future -> future.thenApply(lease -> "used")),
                new Derived("thenCompose", future -> future.thenCompose(lease -> new CompletableFuture<>())),
                new Derived("whenComplete", future -> future.whenComplete((lease, failure) -> {})),
                new Derived("handleAsync", future -> future.handleAsync((lease, failure) -> "", Runnable::run)),
                new Derived("copy", CompletableFuture::copy),
                new Derived(
                        "the third of three",
                        future -> future.thenApply(lease -> "a")
                                .thenApply(text -> "b")
                                .exceptionally(failure -> "c")));
    }

    @ParameterizedTest
    @MethodSource("derived")
    void a_cancelled_future_leaves_no_lock_behind(Derived derived) {
        Lease held = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<?> waiting = derived.derive().apply(client.lock("a").acquireAsync());
        assertThat(waiting.cancel(true)).isTrue();
        assertFreeAfter(held);
    }

    @ParameterizedTest
    @MethodSource("derived")
    void a_future_that_its_caller_completes_leaves_no_lock_behind(Derived derived) {
        Lease held = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<?> waiting = derived.derive().apply(client.lock("a").tryAcquireAsync(Duration.ofMinutes(1)));
        assertThat(waiting.completeExceptionally(new IllegalStateException("given up")))
                .isTrue();
        assertFreeAfter(held);
    }

    private void assertFreeAfter(Lease held) {
        held.release();
        // A stage that times out completes on a thread of the JDK's, and withdraws afterwards.
        await().untilAsserted(() -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(other.lock("a").tryAcquire())
                    .as("the lock after the withdrawal")
                    .isPresent();
        });
    }

    @Test
    void a_timeout_of_a_derived_future_leaves_no_lock_behind() {
        Lease held = other.lock("a").tryAcquire().orElseThrow();
        CompletionStage<String> waiting =
                client.lock("a").acquireAsync().thenApply(Lease::name).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThat(waiting.toCompletableFuture())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withMessageContaining("Timeout");
        assertFreeAfter(held);
    }

    @Test
    void a_lease_that_was_granted_belongs_to_those_who_received_it() {
        CompletableFuture<Lease> granted = client.lock("a").acquireAsync();
        CompletableFuture<Object> never = granted.thenCompose(lease -> new CompletableFuture<>());
        assertThat(never.cancel(true)).isTrue();
        assertThat(granted.join().remaining()).isPositive();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        granted.join().release();
    }
}
