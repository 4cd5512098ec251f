package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.Ordering;
import io.hasp.ReleaseResult;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.spi.Capabilities;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock stays with its client after a release, until another one wants it or its time is over. */
class KeptLockTest {
    private static final Duration KEEP = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final ClientOptions plain = ClientOptions.defaults().timing(time);
    private final LockClient keeper = LockClient.over(link, plain.keep(KEEP).addListener(events::add));
    private final LockClient other = LockClient.over(server.link(), plain);

    @AfterEach
    void close() {
        link.heal();
        keeper.close();
        other.closeNow();
        assertThat(server.size()).isZero();
    }

    private long used(LockClient client) throws InterruptedException {
        try (Lease lease = client.lock("a").acquire()) {
            return lease.fencingToken();
        }
    }

    @Test
    void a_lock_that_nobody_else_wants_is_used_again_without_a_request() throws Exception {
        long first = used(keeper);
        assertThat(server.present("a")).isOne();
        link.partition();
        long second = used(keeper);
        link.heal();
        assertThat(second).isEqualTo(first + 1);
        assertThat(used(keeper)).isEqualTo(second + 1);
        await(() -> kinds().size() >= 11);
        assertThat(kinds()).containsSubsequence("Acquired", "Released", "Kept", "HandedOff", "Acquired", "Released");
    }

    private List<String> kinds() {
        return events.stream().map(event -> event.getClass().getSimpleName()).toList();
    }

    @Test
    void a_waiter_of_another_client_gets_a_lock_that_is_only_kept() throws Exception {
        long first = used(keeper);
        CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
        try (Lease lease = waiter.get(5, TimeUnit.SECONDS)) {
            assertThat(lease.fencingToken()).isGreaterThan(first + 255);
        }
        long again = used(keeper);
        assertThat(again).isGreaterThan(first + 255);
    }

    @Test
    void a_try_of_another_client_gets_a_lock_that_is_only_kept() throws Exception {
        used(keeper);
        CompletableFuture<Optional<Lease>> tried = other.lock("a").tryAcquireAsync(Duration.ZERO);
        awaitFree();
        awaitDone(tried);
        assertThat(tried.get())
                .hasValueSatisfying(lease -> assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED));
    }

    @Test
    void a_try_of_another_client_finds_a_silent_keeper_s_lock_held() throws Exception {
        used(keeper);
        link.loseSignals();
        CompletableFuture<Optional<Lease>> tried = other.lock("a").tryAcquireAsync(Duration.ZERO);
        for (int i = 0; i < 39; i++) {
            time.advance(Duration.ofMillis(1));
            assertThat(tried).as("after %s ms", i + 1).isNotDone();
        }
        awaitDone(tried);
        assertThat(tried.get()).isEmpty();
    }

    @Test
    void a_lock_in_use_is_told_to_be_wanted_and_goes_to_the_server_at_its_release() throws Exception {
        try (Lease lease = keeper.lock("a").acquire()) {
            CompletableFuture<Lease> waiter = other.lock("a").acquireAsync();
            await(() -> kinds().contains("Recalled"));
            lease.release();
            waiter.get(5, TimeUnit.SECONDS).release();
        }
        assertThat(server.present("a")).isZero();
        assertThat(kinds()).doesNotContain("Kept");
        assertThat(events)
                .filteredOn(LockEvent.Recalled.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((LockEvent.Recalled) event).inUse()).isTrue());
    }

    @Test
    void a_lock_is_kept_for_as_long_as_was_said() throws Exception {
        used(keeper);
        time.advance(KEEP.minusMillis(1));
        assertThat(server.present("a")).isOne();
        time.advance(Duration.ofMillis(1));
        awaitFree();
    }

    private void awaitFree() {
        await(() -> server.present("a") == 0);
    }

    /** Lets time pass until then, but not as long as a lock is kept, however slow this machine is. */
    private void awaitDone(CompletableFuture<?> future) {
        long begun = time.nanoTime();
        await(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            if (time.nanoTime() - begun < KEEP.toNanos() / 2) {
                time.advance(Duration.ofMillis(1));
            }
            return future.isDone();
        });
    }

    private static void await(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(10));
            Thread.onSpinWait();
        }
    }

    @Test
    void closing_gives_a_kept_lock_back() throws Exception {
        used(keeper);
        keeper.close();
        assertThat(server.present("a")).isZero();
    }

    @Test
    void a_pause_beyond_the_deadline_makes_a_kept_lock_worthless() throws Exception {
        long first = used(keeper);
        time.pause(Duration.ofSeconds(11));
        assertThat(used(other)).isGreaterThan(first + 255);
        assertThat(used(keeper)).isGreaterThan(first + 511);
    }

    @Test
    void after_a_suspension_the_server_is_asked() throws Exception {
        long first = used(keeper);
        time.suspend(Duration.ofMillis(1_001));
        assertThat(used(keeper)).isGreaterThan(first + 255);
    }

    @Test
    void a_change_of_the_clock_by_a_second_is_no_suspension() throws Exception {
        long first = used(keeper);
        time.suspend(Duration.ofSeconds(1));
        assertThat(used(keeper)).isEqualTo(first + 1);
    }

    @Test
    void fixed_leases_are_neither_kept_nor_taken_from_what_is_kept() throws Exception {
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(20));
        keeper.lock("a", fixed).acquire().release();
        assertThat(server.present("a")).isZero();
        long first = used(keeper);
        assertThat(server.present("a")).isOne();
        try (Lease lease = keeper.lock("a", fixed).acquire()) {
            assertThat(lease.fencingToken()).isGreaterThan(first + 255);
        }
        assertThat(server.present("a")).isZero();
    }

    @Test
    void a_lock_with_another_lease_is_asked_for_anew() throws Exception {
        long first = used(keeper);
        LockOptions longer = LockOptions.defaults().renewedLease(Duration.ofSeconds(20));
        Optional<Lease> lease = keeper.lock("a", longer).tryAcquire();
        assertThat(lease).hasValueSatisfying(had -> {
            assertThat(had.fencingToken()).isGreaterThan(first + 255);
            had.release();
        });
    }

    @Test
    void a_floor_is_above_all_later_tokens_also_of_a_lock_that_was_kept() throws Exception {
        long floor = used(keeper) + 100_000;
        raise(other, floor);
        assertThat(used(keeper)).isGreaterThan(floor);
    }

    @Test
    void an_own_floor_ends_what_is_kept() throws Exception {
        long floor = used(keeper) + 100_000;
        raise(keeper, floor);
        assertThat(used(keeper)).isGreaterThan(floor);
    }

    /** The server sends the recall to the keeper repeatedly. */
    private void raise(LockClient client, long floor) throws Exception {
        CompletableFuture<Void> raised =
                CompletableFuture.runAsync(() -> client.lock("a").raiseTokenFloor(floor));
        awaitFree();
        awaitDone(raised);
        raised.get();
    }

    @Test
    void a_floor_is_not_raised_while_a_keeper_is_silent() {
        assertThat(keeper.lock("a").tryAcquire()).hasValueSatisfying(Lease::release);
        link.loseSignals();
        CompletableFuture<Void> raised =
                CompletableFuture.runAsync(() -> other.lock("a").raiseTokenFloor(100_000));
        awaitDone(raised);
        assertThatThrownBy(raised::get).hasCauseInstanceOf(BackendException.class);
    }

    @Test
    void a_name_that_wanders_is_not_kept_for_its_next_eight_grants() throws Exception {
        for (int i = 0; i < 2; i++) {
            used(keeper);
            assertThat(server.present("a")).as("kept, round %s", i).isOne();
            used(other);
        }
        for (int i = 0; i < 8; i++) {
            used(keeper);
            assertThat(server.present("a")).as("not kept, round %s", i).isZero();
        }
        used(keeper);
        assertThat(server.present("a")).isOne();
    }

    @Test
    void a_use_of_what_was_kept_makes_a_name_one_that_does_not_wander() throws Exception {
        for (int i = 0; i < 5; i++) {
            used(keeper);
            used(keeper);
            assertThat(server.present("a")).as("kept, round %s", i).isOne();
            used(other);
        }
    }

    @Test
    void an_administrator_may_delete_what_is_kept() throws Exception {
        long first = used(keeper);
        assertThat(server.expire("a")).isTrue();
        assertThat(used(other)).isGreaterThan(first + 255);
        time.advance(KEEP);
        awaitFree();
    }

    @Test
    void ap3_keeping_too_long_or_in_order_is_refused_before_anything_is_opened() {
        assertThatThrownBy(() -> LockClient.over(
                        context -> {
                            throw new AssertionError("opened");
                        },
                        plain.keep(Duration.ofSeconds(4))))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("keep is PT4S: it must be at most a third of renewedLease, which is PT10S");
        assertThatThrownBy(() -> LockClient.connect("memory://kept?keep=1s&renewedLease=2s"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("keep is PT1S")
                .hasMessageContaining("PT2S");
        assertThatThrownBy(() -> LockClient.over(link, plain.keep(KEEP).ordering(Ordering.FIFO)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("keep is PT1S and ordering is FIFO");
    }

    @Test
    void a_backend_that_does_not_recall_keeps_nothing() {
        Capabilities none = Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE);
        ScriptedBackend backend = new ScriptedBackend(link);
        backend.capabilities = none;
        assertThatThrownBy(() -> LockClient.over(backend, plain.keep(KEEP)))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("keep is PT1S");
        assertThat(keeper.capabilities().keptLocks()).isTrue();
    }
}
