package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockCapabilities;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.Ordering;
import io.hasp.TryResult;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promises of the interface beyond acquire and release: extending, capping, watching, cancelling, closing,
 * ordering.
 */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineApiTest {
    private static final LockOptions FIVE_SECONDS = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);

    @Test
    void le1_extend_moves_the_end_here_and_on_the_server_and_keeps_the_token() {
        Lease lease = client.lock("a", FIVE_SECONDS).tryAcquire().orElseThrow();
        long token = lease.fencingToken();
        time.advance(Duration.ofSeconds(3));
        lease.extend(Duration.ofSeconds(10));
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(9_800), Duration.ofSeconds(10));
        time.advance(Duration.ofMillis(9_800));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        assertThat(lease.fencingToken()).isEqualTo(token);
        time.advance(Duration.ofMillis(200));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.remaining()).isZero();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void extending_by_less_than_what_remains_changes_nothing() {
        Lease lease = client.lock("a", FIVE_SECONDS).tryAcquire().orElseThrow();
        Duration before = lease.remaining();
        lease.extend(Duration.ofSeconds(1));
        assertThat(lease.remaining()).isEqualTo(before);
    }

    @Test
    void ap3_what_can_not_be_extended_is_refused_before_anything_is_sent() {
        Lease renewed = client.lock("a").tryAcquire().orElseThrow();
        assertThatThrownBy(() -> renewed.extend(Duration.ofSeconds(9))).isInstanceOf(InvalidArgumentException.class);
        Lease fixed = client.lock("b", FIVE_SECONDS).tryAcquire().orElseThrow();
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> fixed.extend(wrong)).isInstanceOf(InvalidArgumentException.class);
        }
        fixed.release();
        assertThatThrownBy(() -> fixed.extend(Duration.ofSeconds(9))).isInstanceOf(LeaseReleasedException.class);
        assertThat(backend.renewed).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without the checker may do
    void ap3_options_that_are_missing_are_refused_where_they_are_made() {
        assertThatThrownBy(() -> options.ordering(null)).isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void an_extension_that_is_not_confirmed_keeps_the_present_end_and_one_that_is_denied_is_a_loss() {
        Lease lease = client.lock("a", FIVE_SECONDS).tryAcquire().orElseThrow();
        Duration before = lease.remaining();
        backend.onRenew = (held, call) -> CompletableFuture.failedFuture(
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "scripted", null));
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(9))).isInstanceOf(BackendException.class);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.remaining()).isEqualTo(before);
        backend.onRenew = (held, call) -> call.get();
        server.expire("a");
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(9))).isInstanceOf(LeaseLostException.class);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void le7_max_hold_of_the_client_caps_each_lease_and_not_the_grant_that_is_handed_on() {
        LockClient capped = LockClient.over(server.link(), options.maxHold(Duration.ofMinutes(2)));
        Lease first = capped.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> second = capped.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(10));
        first.release();
        assertThat(second.join().fencingToken()).isEqualTo(first.fencingToken() + 1);
        time.advance(Duration.ofMinutes(2).minusMillis(5));
        assertThat(second.join().state()).isEqualTo(LeaseState.HELD);
        time.advance(Duration.ofMillis(5));
        assertThat(second.join().state()).isEqualTo(LeaseState.LOST);
        assertThat(server.size()).isZero();
    }

    @Test
    void on_change_uses_the_given_executor_and_tells_at_once_of_a_lease_that_has_ended() {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        List<LeaseState> seen = new ArrayList<>();
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        lease.onChange(tasks::add, seen::add);
        lease.release();
        lease.onChange(tasks::add, seen::add);
        assertThat(seen).isEmpty();
        tasks.forEach(Runnable::run);
        assertThat(seen).containsExactly(LeaseState.RELEASED, LeaseState.RELEASED);
    }

    @Test
    void each_hundred_of_many_leases_is_confirmed_by_its_own_answer_and_counts_from_its_own_request() {
        List<Lease> leases = new ArrayList<>();
        List<Integer> batches = new ArrayList<>();
        backend.onRenew = (held, call) -> {
            batches.add(held.size());
            CompletionStage<List<Renewal>> answer = call.get();
            if (batches.size() == 2) {
                assertThat(leases.stream().filter(lease -> lease.remaining().compareTo(Duration.ofSeconds(25)) > 0))
                        .as("confirmed before the second batch is answered")
                        .hasSize(100);
            }
            // As with a backend that blocks.
            time.pause(Duration.ofMillis(300));
            return answer;
        };
        for (int i = 0; i < 250; i++) {
            leases.add(client.lock("name-" + i).tryAcquire().orElseThrow());
        }
        time.advance(Duration.ofSeconds(15));

        assertThat(batches).containsExactly(100, 100, 50);
        assertThat(leases.stream().map(Lease::remaining).distinct())
                .as("300 ms apart, as their requests were")
                .hasSize(3);
    }

    @Test
    void all_leases_that_are_due_travel_in_one_renewal() {
        AtomicInteger calls = new AtomicInteger();
        backend.onRenew = (held, call) -> {
            calls.incrementAndGet();
            return call.get();
        };
        for (int i = 0; i < 100; i++) {
            assertThat(client.lock("name-" + i).tryAcquire()).isPresent();
            time.advance(Duration.ofMillis(20));
        }
        time.advance(Duration.ofSeconds(14));
        assertThat(calls).hasValue(1);
        assertThat(backend.renewed).hasSize(100);
    }

    @Test
    void a_cancelled_wait_whose_grant_is_on_its_way_gives_it_back() {
        CompletableFuture<Attempt> late = new CompletableFuture<>();
        List<CompletionStage<Attempt>> granted = new ArrayList<>();
        backend.onAcquire = (claim, call) -> {
            granted.add(call.get());
            return late;
        };
        CompletableFuture<Lease> cancelled = client.lock("a").acquireAsync();
        assertThat(cancelled.cancel(true)).isTrue();
        granted.get(0).thenAccept(late::complete);
        assertThat(server.size()).isZero();
    }

    @Test
    void cancelling_in_the_middle_of_the_queue_neither_loses_nor_hurries_those_behind() {
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(client.lock("a").acquireAsync());
        }
        waiters.get(0).cancel(false);
        waiters.get(2).cancel(false);
        assertThat(waiters.get(1)).isNotDone();
        held.release();
        waiters.get(1).join().release();
        waiters.get(3).join().release();
        assertThat(waiters.get(3).cancel(false)).isFalse();
        waiters.get(4).join().release();
        assertThat(server.size()).isZero();
    }

    @Test
    void an_exception_of_the_backend_says_whether_trying_again_may_help_and_whether_anything_may_have_been_applied() {
        backend.onAcquire = (claim, call) -> CompletableFuture.failedFuture(new BackendFailure(
                BackendFailure.Kind.DENIED, BackendFailure.Outcome.NOT_APPLIED, "no permission", null));
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOfSatisfying(BackendException.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(BackendException.Kind.DENIED);
                    assertThat(refused.outcome()).isEqualTo(BackendException.Outcome.NOT_APPLIED);
                });
    }

    @Test
    void a_client_tells_what_its_backend_declares() {
        LockCapabilities declared = other.capabilities();
        assertThat(declared.ordering()).isEqualTo(Ordering.FIFO);
        assertThat(declared.enforcement()).isEqualTo(LockCapabilities.Enforcement.LEASE);
        assertThat(declared.survives()).isEmpty();
        assertThat(declared).isEqualTo(client.capabilities());
    }

    @Test
    void li6_fifo_serves_a_remote_waiter_before_the_local_one_that_came_later() {
        LockClient fifo = LockClient.over(server.link(), options.ordering(Ordering.FIFO));
        Lease first = fifo.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> remote = other.lock("a").acquireAsync();
        CompletableFuture<Lease> local = fifo.lock("a").acquireAsync();
        first.release();
        assertThat(remote).isDone();
        assertThat(local).isNotDone();
        remote.join().release();
        assertThat(local).isDone();
    }

    @Test
    void ap9_an_ordering_that_the_backend_does_not_declare_is_refused_and_the_backend_closed() {
        ScriptedBackend unordered = new ScriptedBackend(server.link());
        unordered.capabilities = Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);
        assertThatThrownBy(() -> LockClient.over(unordered, options.ordering(Ordering.FIFO)))
                .isInstanceOf(UnsupportedCapabilityException.class);
        assertThat(unordered.closed).isTrue();
        assertThatThrownBy(() -> LockClient.connect("memory://fifo?ordering=lifo"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("lifo");
    }

    @Test
    void me2_two_clients_of_one_jvm_exclude_each_other_even_on_the_same_thread() {
        URI uri = URI.create("memory://two-clients?ordering=fifo&maxHold=1m");
        try (LockClient one = LockClient.connect(uri);
                LockClient two = LockClient.connect(uri)) {
            Lock mine = one.lock("a").asReentrantLock();
            assertThat(mine.tryLock()).isTrue();
            assertThat(mine.tryLock()).isTrue();
            assertThat(two.lock("a").asReentrantLock().tryLock()).isFalse();
            mine.unlock();
            assertThat(two.lock("a").tryAcquire()).isEmpty();
            mine.unlock();
            assertThat(two.lock("a").asReentrantLock().tryLock()).isTrue();
            two.lock("a").asReentrantLock().unlock();
        }
    }

    @Test
    void work_without_a_result_runs_under_the_lock() throws InterruptedException {
        List<Long> tokens = new ArrayList<>();
        client.lock("a").run(lease -> tokens.add(lease.fencingToken()));
        assertThat(client.lock("a").tryRun(lease -> tokens.add(lease.fencingToken())))
                .isTrue();
        assertThat(client.lock("a").tryRun(Duration.ofSeconds(1), lease -> tokens.add(lease.fencingToken())))
                .isTrue();
        assertThat(tokens).hasSize(3).isSorted();
        try (Lease held = client.lock("a").acquire()) {
            assertThat(client.lock("a").tryRun(lease -> tokens.clear())).isFalse();
            assertThat(client.lock("a").tryRun(Duration.ZERO, lease -> tokens.clear()))
                    .isFalse();
        }
        assertThat(tokens).hasSize(3);
        assertThat(server.size()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway")
    void work_that_returns_null_does_not_fail_after_it_ran() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        assertThat(client.lock("a").<@Nullable Object, RuntimeException>tryCall(Duration.ZERO, lease -> {
                    ran.incrementAndGet();
                    return null;
                }))
                .isEqualTo(new TryResult.Returned<@Nullable Object>(null));
        assertThat(client.lock("a").<@Nullable Object, RuntimeException>call(lease -> {
                    ran.incrementAndGet();
                    return null;
                }))
                .isNull();
        assertThat(ran).hasValue(2);
        assertThat(server.size()).isZero();
    }
}
