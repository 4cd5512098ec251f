package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The engine over the in-memory backend on a virtual clock: hours pass in milliseconds, and nothing is left to luck. */
class EngineOnVirtualTimeTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final LockClient client = client(link);
    private final LockClient other = client(server.link());

    private LockClient client(MemoryLink to) {
        return LockClient.over(to, ClientOptions.defaults().timing(time).executor(Runnable::run));
    }

    private Lease held(String name) {
        return client.lock(name).tryAcquire().orElseThrow();
    }

    @Test
    void a_lease_is_renewed_for_as_long_as_it_is_held() {
        Lease lease = held("a");
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofSeconds(10));
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(lease.remaining()).isGreaterThan(LEASE.dividedBy(2));
        }
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThat(server.size()).isZero();
    }

    @Test
    void a_lock_with_a_renewed_lease_of_its_own_is_renewed_by_it_and_free_again_after_it() {
        Lease brief = client.lock("brief", LockOptions.defaults().renewedLease(Duration.ofSeconds(3)))
                .tryAcquire()
                .orElseThrow();
        Lease usual = held("usual");
        Lease patient = client.lock("patient", LockOptions.defaults().renewedLease(Duration.ofMinutes(5)))
                .tryAcquire()
                .orElseThrow();
        for (int i = 0; i < 600; i++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(List.of(brief.state(), usual.state(), patient.state())).containsOnly(LeaseState.HELD);
        }
        assertThat(brief.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
        assertThat(patient.remaining()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(5));
        link.partition();
        time.advance(Duration.ofSeconds(3));
        assertThat(brief.state()).isEqualTo(LeaseState.LOST);
        assertThat(other.lock("brief").tryAcquire()).isPresent();
        assertThat(other.lock("usual").tryAcquire()).isEmpty();
        time.advance(LEASE);
        assertThat(other.lock("usual").tryAcquire()).isPresent();
        assertThat(other.lock("patient").tryAcquire()).isEmpty();
        time.advance(Duration.ofMinutes(5));
        assertThat(other.lock("patient").tryAcquire()).isPresent();
    }

    @Test
    void a_fixed_lease_ends_and_is_never_renewed() {
        Lease lease = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(5)))
                .tryAcquire()
                .orElseThrow();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        time.advance(Duration.ofSeconds(5));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(other.lock("a").tryAcquire()).isPresent();
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("end of its time");
    }

    @Test
    void max_hold_ends_a_renewed_lease() {
        Lease lease = client.lock("a", LockOptions.defaults().maxHold(Duration.ofMinutes(2)))
                .tryAcquire()
                .orElseThrow();
        time.advance(Duration.ofSeconds(119));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofSeconds(1));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(server.size()).isZero();
    }

    @Test
    void a_partitioned_holder_is_suspect_and_then_lost_before_anybody_else_can_hold() {
        Lease lease = held("a");
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        link.partition();
        time.advance(Duration.ofSeconds(16));
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        while (!waiter.isDone()) {
            assertThat(time.nanoTime()).isLessThan(Duration.ofMinutes(2).toNanos());
            time.advance(Duration.ofMillis(1));
        }
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(waiter.join().fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(seen).containsExactly(LeaseState.SUSPECT, LeaseState.LOST);
    }

    @Test
    void a_suspect_lease_is_held_again_once_a_renewal_gets_through() {
        Lease lease = held("a");
        link.partition();
        time.advance(Duration.ofSeconds(17));
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        link.heal();
        time.advance(Duration.ofSeconds(5));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_process_that_was_paused_beyond_its_lease_believes_no_late_reply() {
        Lease lease = held("a");
        time.pause(Duration.ofSeconds(31));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        time.advance(Duration.ofSeconds(1));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void an_administrator_who_ends_the_grant_is_noticed_by_the_next_renewal() {
        Lease lease = held("a");
        assertThat(server.expire("a")).isTrue();
        time.advance(Duration.ofSeconds(16));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(held("a").fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void waiters_are_served_in_order_and_leave_nothing_behind() {
        Lease first = held("a");
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add((i % 2 == 0 ? client : other).lock("a").acquireAsync());
        }
        first.release();
        int served = 0;
        long lastToken = first.fencingToken();
        while (served < waiters.size()) {
            time.advance(Duration.ofMillis(50));
            for (CompletableFuture<Lease> waiter : waiters) {
                if (waiter.isDone() && waiter.join().state() == LeaseState.HELD) {
                    assertThat(waiter.join().fencingToken()).isGreaterThan(lastToken);
                    lastToken = waiter.join().fencingToken();
                    waiter.join().release();
                    served++;
                }
            }
        }
        assertThat(server.size()).isZero();
        time.advance(Duration.ofMinutes(1));
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void a_timed_wait_behind_a_holder_is_empty_at_its_end_and_withdrawn() {
        held("a");
        CompletableFuture<Optional<Lease>> waiter = other.lock("a").tryAcquireAsync(Duration.ofSeconds(2));
        CompletableFuture<Optional<Lease>> local = client.lock("a").tryAcquireAsync(Duration.ofSeconds(2));
        time.advance(Duration.ofMillis(1999));
        assertThat(waiter).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(waiter).isCompletedWithValue(Optional.empty());
        assertThat(local).isCompletedWithValue(Optional.empty());
    }

    @Test
    void an_outage_is_never_reported_as_busy() {
        held("a");
        link.partition();
        assertThat(client.lock("a").tryAcquire()).isEmpty();
        CompletableFuture<Optional<Lease>> free = client.lock("b").tryAcquireAsync(Duration.ZERO);
        CompletableFuture<Optional<Lease>> timed = client.lock("b").tryAcquireAsync(Duration.ofSeconds(2));
        CompletableFuture<Optional<Lease>> queued = client.lock("b").tryAcquireAsync(Duration.ofSeconds(1));
        CompletableFuture<Lease> patient = client.lock("b").acquireAsync();
        // The attempt that is under way at the end of a wait is awaited: here for the command timeout of 100 ms.
        time.advance(Duration.ofSeconds(1).plusMillis(150));
        assertUnavailable(free);
        assertUnavailable(queued);
        assertThat(timed).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertUnavailable(timed);
        assertThat(patient).isNotDone();
        time.advance(Duration.ofSeconds(30));
        assertUnavailable(patient);
    }

    @Test
    void behind_a_suspect_holder_a_local_wait_ends_as_unavailable() {
        held("a");
        link.partition();
        time.advance(Duration.ofSeconds(16));
        CompletableFuture<Optional<Lease>> local = client.lock("a").tryAcquireAsync(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertUnavailable(local);
    }

    @Test
    void a_grant_whose_reply_was_lost_is_released_in_the_background() {
        link.loseReplies();
        CompletableFuture<Optional<Lease>> lost = client.lock("a").tryAcquireAsync(Duration.ZERO);
        assertThat(server.size()).isOne();
        time.advance(Duration.ofMillis(100));
        assertUnavailable(lost);
        link.heal();
        time.advance(Duration.ofSeconds(1));
        assertThat(server.size()).isZero();
    }

    @Test
    void a_retry_after_a_lost_reply_finds_its_own_grant() {
        link.loseReplies();
        CompletableFuture<Optional<Lease>> lease = client.lock("a").tryAcquireAsync(Duration.ofSeconds(5));
        time.advance(Duration.ofMillis(120));
        link.heal();
        time.advance(Duration.ofMillis(200));
        assertThat(lease.join()).isPresent();
        assertThat(lease.join().orElseThrow().release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(server.size()).isZero();
    }

    @Test
    void cancelling_withdraws() {
        Lease holder = held("a");
        CompletableFuture<Lease> cancelled = other.lock("a").acquireAsync();
        cancelled.cancel(true);
        holder.release();
        time.advance(Duration.ofSeconds(1));
        assertThat(server.size()).isZero();
    }

    @Test
    void closing_releases_what_is_held_and_fails_who_waits() {
        Lease held = held("a");
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        client.closeNow();
        assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(waiter)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(ClientClosedException.class);
        assertThat(server.size()).isZero();
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void work_that_lost_its_lease_is_told() {
        assertThatThrownBy(() -> client.lock("a").call(lease -> {
                    time.pause(Duration.ofMinutes(1));
                    return 1;
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void work_that_fails_after_it_lost_its_lease_tells_both() {
        IllegalStateException failure = new IllegalStateException("of the work");
        assertThatThrownBy(() -> client.lock("a").run(lease -> {
                    time.pause(Duration.ofMinutes(1));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class);
    }

    private static void assertUnavailable(CompletableFuture<?> future) {
        assertThat(future).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(BackendException.class);
    }
}
