package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AP6: what becomes of holders, waiters and futures when a client is closed. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineCloseTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);

    @Test
    void twenty_thousand_waiters_are_told_that_the_client_is_closed() {
        assertThat(other.lock("a").tryAcquire()).isPresent();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            waiters.add(client.lock("a").acquireAsync());
        }
        client.close();
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter).isCompletedExceptionally());
    }

    @Test
    void after_close_every_future_completes() throws Exception {
        LockClient own = LockClient.over(new MemoryServer(new RealClock()).link(), ClientOptions.defaults());
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        own.close();
        assertThat(lease.releaseAsync().get(5, TimeUnit.SECONDS)).isNotNull();
        assertThat(own.lock("a").acquireAsync()).isCompletedExceptionally();
    }

    @Test
    void ap6_close_releases_holders_fails_all_kinds_of_waiters_and_is_idempotent() {
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        Lock view = client.lock("b").asLock();
        assertThat(view.tryLock()).isTrue();
        CompletableFuture<Lease> behindOwn = client.lock("a").acquireAsync();
        Lease elsewhere = other.lock("c").tryAcquire().orElseThrow();
        CompletableFuture<Lease> behindOther = client.lock("c").acquireAsync();
        CompletableFuture<Optional<Lease>> timed = client.lock("c").tryAcquireAsync(Duration.ofMinutes(1));
        client.close();
        client.close();
        assertThat(List.of(behindOwn, behindOther, timed))
                .allSatisfy(waiter -> assertThat(waiter)
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(ClientClosedException.class));
        assertThat(held.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThatThrownBy(view::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(backend.closed).isTrue();
        elsewhere.release();
        assertThat(server.size()).isZero();
    }

    @Test
    void li9_a_waiter_whose_client_was_closed_behind_a_cut_link_disturbs_no_release() throws Exception {
        MemoryServer real = new MemoryServer(new RealClock());
        MemoryLink cut = real.link();
        LockClient dead = LockClient.over(cut, ClientOptions.defaults());
        try (LockClient alive = LockClient.over(real.link(), ClientOptions.defaults())) {
            Lease held = alive.lock("a").tryAcquire().orElseThrow();
            CompletableFuture<Lease> waiter = dead.lock("a").acquireAsync();
            await().until(() -> real.present("a") == 2);
            cut.partition();
            dead.close();
            cut.heal();
            assertThat(waiter).isCompletedExceptionally();

            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(alive.lock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
        }
    }

    @Test
    void close_waits_for_five_seconds_in_all_when_nothing_is_answered() {
        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(other.lock("b").tryAcquire()).isPresent();
        CompletableFuture<Lease> waiter = client.lock("b").acquireAsync();
        backend.onRelease = (holder, call) -> new CompletableFuture<>();
        long start = System.nanoTime();
        client.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(waiter).isCompletedExceptionally();
        assertThat(backend.closed).isTrue();
    }
}
