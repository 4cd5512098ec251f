package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The duration of a lease, the notification of its end, and the limit of its token. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseLimitsTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ScriptedBackend backend = new ScriptedBackend(link);
    private final List<String> events = new ArrayList<>();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .addListener(event -> {
                if (event instanceof LockEvent.HandedOff) {
                    events.add("handed off");
                } else if (event instanceof LockEvent.Suspect) {
                    events.add("suspect");
                } else if (event instanceof LockEvent.Lost) {
                    events.add("lost");
                }
            });
    private final LockClient client = LockClient.over(backend, options);

    private static LockOptions lease(Duration lease) {
        return LockOptions.defaults().fixedLease(lease);
    }

    @Test
    void a_withdrawal_goes_on_for_as_long_as_the_lease_that_was_asked_for() {
        Lease lease = client.lock("a", lease(Duration.ofHours(3))).tryAcquire().orElseThrow();
        backend.onRelease = (claim, call) -> CompletableFuture.failedFuture(new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED, "scripted", null));
        assertThatThrownBy(lease::release).isInstanceOf(BackendException.class);
        time.advance(Duration.ofHours(1));
        assertThat(server.size()).isOne();
        backend.onRelease = (claim, call) -> call.get();
        time.advance(Duration.ofSeconds(10));
        assertThat(server.size()).isZero();
    }

    @Test
    void an_extension_beyond_max_hold_is_refused_before_anything_is_sent() {
        LockOptions capped = lease(Duration.ofSeconds(10)).maxHold(Duration.ofSeconds(30));
        Lease lease = client.lock("a", capped).tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(5));
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(26)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("PT26S")
                .hasMessageContaining("PT25S");
        assertThat(backend.renewed).isEmpty();
        lease.extend(Duration.ofSeconds(25));
        time.advance(Duration.ofSeconds(24));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(1));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void le7_at_max_hold_the_holder_is_told_before_the_lock_is_given_back() {
        Lease lease = client.lock("a", LockOptions.defaults().maxHold(Duration.ofSeconds(40)))
                .tryAcquire()
                .orElseThrow();
        List<Boolean> releasedWhenTold = new ArrayList<>();
        lease.onChange(Runnable::run, state -> releasedWhenTold.add(!backend.released.isEmpty()));
        time.advance(Duration.ofSeconds(41));
        assertThat(releasedWhenTold).containsExactly(false);
        assertThat(backend.released).isNotEmpty();
        assertThat(server.size()).isZero();
    }

    @Test
    void le1_a_fixed_lease_with_a_part_of_a_millisecond_is_not_renewed() {
        // Like a server that counts in milliseconds.
        backend.onAcquire = (claim, call) -> call.get().thenApply(attempt -> {
            Grant grant = ((Attempt.Granted) attempt).grant();
            return new Attempt.Granted(grant.withValidity(grant.validity().truncatedTo(ChronoUnit.MILLIS)));
        });
        Lease lease = client.lock("a", lease(Duration.ofNanos(3_000_500_000L)))
                .tryAcquire()
                .orElseThrow();
        time.advance(Duration.ofMillis(2_960));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(backend.renewed).isEmpty();
        time.advance(Duration.ofMillis(41));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void a_lock_whose_request_took_longer_than_the_bound_is_handed_over_all_the_same() {
        backend.onAcquire = (claim, call) -> {
            CompletableFuture<Attempt> answer = new CompletableFuture<>();
            time.schedule(Duration.ofMillis(60), () -> call.get().thenAccept(answer::complete));
            return answer;
        };
        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(60));
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        lease.join().release();
        assertThat(events).containsExactly("handed off");
        assertThat(next).isCompleted();
    }

    @Test
    void le5_a_lease_that_is_not_confirmed_is_suspect_when_a_third_is_left_and_once() {
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        backend.onRenew = (held, call) -> new CompletableFuture<>();
        time.advance(Duration.ofMillis(19_600));
        assertThat(seen).isEmpty();
        time.advance(Duration.ofMillis(400));
        assertThat(seen).containsExactly(LeaseState.SUSPECT);
        time.advance(Duration.ofSeconds(10));
        assertThat(seen).containsExactly(LeaseState.SUSPECT, LeaseState.LOST);
        assertThat(events).containsExactly("suspect", "lost");
    }

    @Test
    void fe7_a_floor_above_which_no_token_is_left_is_refused() {
        assertThatThrownBy(() -> client.lock("a").raiseTokenFloor(Long.MAX_VALUE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("9223372036854775807");
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void fe7_a_floor_raises_the_tokens_of_its_own_lock_only() {
        long floor = Long.MAX_VALUE / 2;
        LockClient client = LockClient.over(link, options);
        client.lock("a").raiseTokenFloor(floor);
        for (int i = 0; i < 3; i++) {
            Lease lease = client.lock("a").tryAcquire().orElseThrow();
            assertThat(lease.fencingToken()).isGreaterThan(floor);
            lease.release();
        }
        assertThat(client.lock("b").tryAcquire().orElseThrow().fencingToken()).isLessThan(floor);
    }

    @Test
    void fe1_the_largest_token_of_a_server_is_carried() {
        backend.onAcquire = (claim, call) -> CompletableFuture.completedFuture(
                new Attempt.Granted(Grant.of(claim, (1L << 55) - 1, Duration.ofSeconds(30))));
        assertThat(client.lock("a").tryAcquire().orElseThrow().fencingToken()).isEqualTo(Long.MAX_VALUE - 255);
    }
}
