package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.OnLoss;
import io.hasp.ReleaseResult;
import io.hasp.TryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks at once, on a virtual clock. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry")
class MultiLockTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, options);
    private final LockClient other = LockClient.over(server.link(), options);

    @AfterEach
    void close() {
        client.closeNow();
        other.closeNow();
        time.advance(LEASE.multipliedBy(2));
        assertThat(server.size()).isZero();
    }

    private MultiLock all(String... names) {
        return client.allOf(List.of(names).stream().map(client::lock).toList());
    }

    private boolean free(String name) {
        return other.lock(name)
                .tryAcquire()
                .map(lease -> lease.release() == ReleaseResult.RELEASED)
                .orElse(false);
    }

    private Lease takenByOther(String name) {
        return other.lock(name).tryAcquire().orElseThrow();
    }

    @Test
    void free_locks_are_held_together_with_a_token_each_and_released_by_name() {
        client.lock("b").tryAcquire().orElseThrow().release();
        MultiLease lease = all("c", "a", "b").tryAcquire().orElseThrow();
        assertThat(lease.names()).containsExactly("a", "b", "c");
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.fencingTokens().keySet()).containsExactly("a", "b", "c");
        assertThat(lease.fencingToken("b")).isEqualTo(lease.fencingTokens().get("b"));
        assertThat(lease.remaining()).isPositive();
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(false);
        assertThat(lease.release().toString()).isEqualTo("{a=RELEASED, b=RELEASED, c=RELEASED}");
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.release().values()).containsOnly(ReleaseResult.ALREADY_RELEASED);
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(true);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseReleasedException.class);
        assertThatThrownBy(() -> lease.fencingToken("d"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("'d'");
    }

    @Test
    void names_are_ordered_by_their_utf8_bytes() {
        // In UTF-16 the surrogates of the last one come before U+FFFD.
        assertThat(all("\uD83D\uDE00", "\uFFFD", "z", "ä", "Z").names())
                .containsExactly("Z", "z", "ä", "\uFFFD", "\uD83D\uDE00");
    }

    @Test
    @SuppressWarnings("NullAway") // Null is the bad input.
    void bad_input_is_refused_before_anything_is_sent() {
        assertThatThrownBy(() -> all("a", "b", "a"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("allOf has lock 'a' twice: each name may occur once, whatever its kind");
        assertThatThrownBy(() ->
                        client.allOf(client.lock("a"), client.readWriteLock("a").read()))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.allOf(client.lock("a"), other.lock("b")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("lock 'b' is of another client: allOf takes locks of its own client");
        assertThatThrownBy(() -> client.allOf(List.of()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("allOf has 0 locks: it must have from 1 to 64");
        List<DistributedLock> many =
                IntStream.range(0, 65).mapToObj(i -> client.lock("n" + i)).toList();
        assertThatThrownBy(() -> client.allOf(many)).hasMessage("allOf has 65 locks: it must have from 1 to 64");
        assertThatThrownBy(() -> client.allOf((DistributedLock) null)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.allOf(Collections.singletonList(null)))
                .isInstanceOf(InvalidArgumentException.class);
        LockOptions stays = LockOptions.defaults().takenAtLeast(LEASE);
        assertThatThrownBy(() -> client.allOf(client.lock("a", stays)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("takenAtLeast=PT30S");
        assertThatThrownBy(() -> all("a").tryAcquire(Duration.ofMillis(-1)))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(server.size()).isZero();
        MultiLease most = client.allOf(many.subList(0, 64)).tryAcquire().orElseThrow();
        assertThat(most.release()).hasSize(64);
    }

    @Test
    void a_try_that_is_refused_holds_nothing() {
        Lease b = takenByOther("b");
        assertThat(all("a", "b", "c").tryAcquire()).isEmpty();
        assertThat(List.of(free("a"), free("c"))).containsOnly(true);
        b.release();
    }

    @Test
    void a_wait_keeps_what_comes_before_the_refused_lock_and_releases_what_comes_behind() {
        Lease b = takenByOther("b");
        CompletableFuture<MultiLease> waits = all("c", "b", "a").acquireAsync();
        time.advance(Duration.ofMillis(10));
        assertThat(waits).isNotDone();
        assertThat(free("a")).isFalse();
        assertThat(free("c")).isTrue();
        b.release();
        time.advance(Duration.ofSeconds(2));
        assertThat(waits).isCompleted();
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(false);
        waits.join().close();
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(true);
    }

    @Test
    void one_wait_is_for_all_and_nothing_is_held_after_it() {
        Lease b = takenByOther("b");
        Lease d = takenByOther("d");
        CompletableFuture<Optional<MultiLease>> waits = all("a", "b", "c", "d").tryAcquireAsync(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(6));
        b.release();
        time.advance(Duration.ofSeconds(2));
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(false);
        assertThat(waits).isNotDone();
        time.advance(Duration.ofSeconds(3));
        assertThat(waits).isCompletedWithValue(Optional.empty());
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(true);
        d.release();
        assertThat(free("d")).isTrue();
    }

    @Test
    void a_cancelled_acquisition_holds_and_renews_nothing() {
        Lease b = takenByOther("b");
        CompletableFuture<MultiLease> waits = all("a", "b", "c").acquireAsync();
        time.advance(Duration.ofMillis(10));
        assertThat(free("a")).isFalse();
        waits.cancel(false);
        assertThat(List.of(free("a"), free("c"))).containsOnly(true);
        b.release();
        time.advance(Duration.ofSeconds(5));
        assertThat(free("b")).isTrue();
        assertThat(server.size()).isZero();
    }

    @Test
    void a_client_that_closes_fails_the_wait_and_holds_nothing() {
        Lease b = takenByOther("b");
        CompletableFuture<MultiLease> waits = all("a", "b", "c").acquireAsync();
        time.advance(Duration.ofMillis(10));
        client.close();
        assertThatThrownBy(waits::join).hasCauseInstanceOf(ClientClosedException.class);
        assertThat(List.of(free("a"), free("c"))).containsOnly(true);
        b.release();
        assertThatThrownBy(() -> all("a", "b").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_failure_in_the_middle_releases_everything() {
        Lease c = takenByOther("c");
        CompletableFuture<Optional<MultiLease>> waits = all("a", "c").tryAcquireAsync(Duration.ofMinutes(2));
        time.advance(Duration.ofMillis(10));
        link.partition();
        time.advance(Duration.ofMinutes(3));
        assertThatThrownBy(waits::join).hasCauseInstanceOf(BackendException.class);
        link.heal();
        time.advance(Duration.ofMinutes(1));
        assertThat(free("a")).isTrue();
        c.release();
    }

    @Test
    void a_lease_that_ends_during_the_wait_is_acquired_again_in_order() {
        Lease b = takenByOther("b");
        DistributedLock brief = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(3)));
        CompletableFuture<MultiLease> waits =
                client.allOf(client.lock("b"), brief).acquireAsync();
        time.advance(Duration.ofSeconds(20));
        assertThat(waits).isNotDone();
        b.release();
        time.advance(Duration.ofMillis(100));
        assertThat(waits).isCompleted();
        assertThat(waits.join().state()).isEqualTo(LeaseState.HELD);
        waits.join().close();
    }

    @Test
    void the_loss_of_one_is_the_loss_of_all_and_is_told_once() {
        DistributedLock brief = client.lock("b", LockOptions.defaults().fixedLease(Duration.ofSeconds(3)));
        MultiLease lease = client.allOf(client.lock("a"), brief, client.lock("c"))
                .tryAcquire()
                .orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add);
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        time.advance(Duration.ofSeconds(3));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        time.advance(Duration.ofMillis(50));
        assertThat(seen).containsExactly(LeaseState.LOST);
        assertThat(List.of(free("a"), free("b"), free("c"))).containsOnly(true);
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LeaseLostException.class, e -> assertThat(e.lockName()).contains("b"));
        assertThat(lease.release().get("b")).isEqualTo(ReleaseResult.LOST);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        lease.onChange(Runnable::run, seen::add);
        assertThat(seen).containsExactly(LeaseState.LOST, LeaseState.LOST);
    }

    @Test
    void observers_see_the_worst_state_and_its_end() {
        MultiLease lease = all("a", "b").tryAcquire().orElseThrow();
        List<LeaseState> seen = new ArrayList<>();
        lease.onChange(Runnable::run, seen::add).close();
        lease.onChange(Runnable::run, seen::add);
        link.partition();
        time.advance(Duration.ofSeconds(21));
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        link.heal();
        time.advance(Duration.ofSeconds(5));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        lease.release();
        assertThat(seen).containsExactly(LeaseState.SUSPECT, LeaseState.HELD, LeaseState.RELEASED);
    }

    @Test
    void fixed_leases_are_extended_together_and_renewed_ones_refused() {
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
        MultiLease lease = client.allOf(client.lock("a", fixed), client.lock("b", fixed))
                .tryAcquire()
                .orElseThrow();
        time.advance(Duration.ofSeconds(4));
        lease.extend(Duration.ofSeconds(20));
        time.advance(Duration.ofSeconds(15));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        lease.close();
        MultiLease renewed = all("a", "b").tryAcquire().orElseThrow();
        assertThatThrownBy(() -> renewed.extend(LEASE)).isInstanceOf(InvalidArgumentException.class);
        renewed.close();
    }

    @Test
    void read_sides_and_permits_are_taken_with_exclusive_locks() {
        Lease reader = other.readWriteLock("rw").read().tryAcquire().orElseThrow();
        Lease permit = other.semaphore("s", 2).permits(1).tryAcquire().orElseThrow();
        MultiLock mixed = client.allOf(
                client.lock("a"),
                client.readWriteLock("rw").read(),
                client.semaphore("s", 2).permits(1));
        MultiLease lease = mixed.tryAcquire().orElseThrow();
        assertThat(other.semaphore("s", 2).permits(1).tryAcquire()).isEmpty();
        lease.close();
        MultiLock tooMuch =
                client.allOf(client.lock("a"), client.semaphore("s", 2).permits(2));
        assertThat(tooMuch.tryAcquire()).isEmpty();
        assertThat(free("a")).isTrue();
        reader.release();
        permit.release();
    }

    @Test
    void work_runs_under_all_locks_and_a_busy_try_does_not_run() throws Exception {
        MultiLock both = all("a", "b");
        assertThat(both.<Long, Exception>call(lease -> lease.fencingToken("a"))).isPositive();
        both.run(lease -> assertThat(free("b")).isFalse());
        Lease b = takenByOther("b");
        assertThat(both.tryRun(lease -> {})).isFalse();
        assertThat(both.tryCall(lease -> 1)).isEqualTo(TryResult.busy());
        assertThat(both.tryCallAsync(Duration.ZERO, lease -> CompletableFuture.completedFuture(1))
                        .join()
                        .ran())
                .isFalse();
        b.release();
        assertThat(both.tryRun(Duration.ZERO, lease -> {})).isTrue();
        assertThat(both.tryCall(Duration.ZERO, lease -> 1).toOptional()).contains(1);
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = both.callAsync(lease -> work);
        assertThat(free("a")).isFalse();
        work.complete("done");
        assertThat(result).isCompletedWithValue("done");
        assertThat(List.of(free("a"), free("b"))).containsOnly(true);
    }

    @Test
    void work_that_loses_a_lock_fails_and_its_future_is_cancelled() throws Exception {
        LockOptions brief =
                LockOptions.defaults().fixedLease(Duration.ofSeconds(3)).onLoss(OnLoss.INTERRUPT);
        MultiLock both = client.allOf(client.lock("a"), client.lock("b", brief));
        assertThatThrownBy(() -> both.run(lease -> {
                    time.advance(Duration.ofSeconds(4));
                    assertThat(Thread.interrupted()).isTrue();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = both.callAsync(lease -> work);
        time.advance(Duration.ofSeconds(4));
        assertThat(work).isCancelled();
        assertThatThrownBy(result::join).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(List.of(free("a"), free("b"))).containsOnly(true);
    }

    @Test
    void events_tell_of_each_lease_and_of_one_refusal() {
        List<LockEvent> events = new ArrayList<>();
        LockClient watched = LockClient.over(server.link(), options.addListener(events::add));
        Lease b = takenByOther("b");
        MultiLock all = watched.allOf(watched.lock("a"), watched.lock("b"), watched.lock("c"));
        assertThat(all.tryAcquire()).isEmpty();
        assertThat(events).filteredOn(LockEvent.Contended.class::isInstance).hasSize(1);
        assertThat(events)
                .filteredOn(LockEvent.Contended.class::isInstance)
                .allMatch(event -> event.lock().equals("b"));
        events.clear();
        CompletableFuture<MultiLease> waits = all.acquireAsync();
        b.release();
        time.advance(Duration.ofSeconds(2));
        waits.join().close();
        assertThat(events).noneMatch(LockEvent.Contended.class::isInstance);
        assertThat(events.stream().filter(LockEvent.Acquired.class::isInstance).map(LockEvent::lock))
                .contains("a", "b", "c");
        watched.closeNow();
    }

    @Test
    void a_close_waits_for_no_part_that_a_now_close_gives_back() {
        MultiLease lease = all("a", "b").tryAcquire().orElseThrow();
        client.closeNow();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(List.of(free("a"), free("b"))).containsOnly(true);
    }
}
