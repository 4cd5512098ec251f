package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.spi.Attempt;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A signal of the backend arrives before a grant, beside it, or while the lock passes on. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SignalTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final List<Runnable> onHandOff = new ArrayList<>();
    private final AtomicInteger handedOff = new AtomicInteger();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .addListener(event -> {
                if (event instanceof LockEvent.HandedOff) {
                    handedOff.incrementAndGet();
                    onHandOff.forEach(Runnable::run);
                }
            });
    private final LockClient client = LockClient.over(backend, options);

    @Test
    void a_lease_that_a_signal_made_suspect_is_not_handed_off_as_if_it_were_held() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        backend.signal(0, Signal.SUSPECT);

        lease.release();

        assertThat(handedOff).hasValue(0);
        assertThat(next.join().fencingToken()).isGreaterThanOrEqualTo(lease.fencingToken() + 256);
    }

    @Test
    void a_fixed_lease_that_was_suspect_is_verified_and_held_again() {
        Lease lease = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(5)))
                .tryAcquire()
                .orElseThrow();
        backend.signal(0, Signal.SUSPECT);
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);

        backend.signal(0, Signal.RESTORED);
        time.advance(Duration.ofMillis(1));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(5));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void every_observer_sees_the_changes_in_the_order_in_which_they_happened() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, state -> lease.releaseAsync());
        lease.onChange(Runnable::run, seen::add);

        backend.signal(0, Signal.SUSPECT);

        assertThat(seen).containsExactly(LeaseState.SUSPECT, LeaseState.RELEASED);
    }

    @Test
    void a_grant_for_another_local_contender_ends_the_older_lease() {
        Lease older = client.lock("a").tryAcquire().orElseThrow();
        backend.signal(0, Signal.SUSPECT);
        server.expire("a");

        Lease newer = client.lock("a").tryAcquire().orElseThrow();

        assertThat(older.state()).isEqualTo(LeaseState.LOST);
        assertThat(newer.state()).isEqualTo(LeaseState.HELD);
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        newer.release();
        assertThat(next).isDone();
    }

    @Test
    void a_signal_about_a_holder_id_that_was_given_up_does_not_end_the_lease_of_the_next_id() {
        AtomicInteger attempts = new AtomicInteger();
        backend.onAcquire = (claim, call) ->
                attempts.incrementAndGet() == 1 ? CompletableFuture.completedFuture(new Attempt.Gone()) : call.get();
        Lease lease = client.lock("a").acquireAsync().join();

        backend.signal(0, Signal.LOST);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);

        backend.signal(1, Signal.LOST);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void le6_a_loss_that_is_told_before_the_grant_that_it_ends_is_not_dropped() {
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        CompletableFuture<Lease> acquired = client.lock("a").acquireAsync();
        attempt.reachesServer();
        backend.signal(0, Signal.LOST);

        attempt.isAnswered();
        time.advance(Duration.ofSeconds(1));

        assertThat(acquired.join().state()).as("under a second holder id").isEqualTo(LeaseState.HELD);
        assertThat(backend.released)
                .as("the first one is withdrawn")
                .containsExactly(List.copyOf(backend.listeners.keySet()).get(0));
        backend.signal(1, Signal.LOST);
        assertThat(acquired.join().state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void le6_a_doubt_that_is_told_before_the_grant_stays_until_it_is_confirmed() {
        DelayedAttempt attempt = DelayedAttempt.next(backend);
        CompletableFuture<Lease> acquired = client.lock("a").acquireAsync();
        backend.signal(0, Signal.SUSPECT);

        attempt.isAnswered();
        assertThat(acquired.join().state()).isEqualTo(LeaseState.SUSPECT);

        backend.signal(0, Signal.RESTORED);
        time.advance(Duration.ofMillis(1));
        assertThat(acquired.join().state()).isEqualTo(LeaseState.HELD);
        assertThat(backend.renewed).hasSize(1);
        time.advance(Duration.ofSeconds(5));
        assertThat(backend.renewed).as("the old news is answered").hasSize(1);
    }

    @Test
    void le6_a_loss_that_is_told_while_the_lock_is_handed_off_ends_the_next_lease() {
        onHandOff.add(() -> backend.signal(0, Signal.LOST));
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();

        lease.release();

        assertThat(handedOff).hasValue(1);
        assertThat(next.join().state()).isEqualTo(LeaseState.LOST);
    }
}
