package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedSemaphore;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.spi.Capabilities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of semaphores beyond the rules that every backend passes. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry")
class SemaphoreTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(server.link(), options);
    private final LockClient other = LockClient.over(server.link(), options);
    private final DistributedSemaphore semaphore = client.semaphore("s", 5);
    private final DistributedSemaphore elsewhere = other.semaphore("s", 5);

    @AfterEach
    void close() {
        client.closeNow();
        other.closeNow();
        assertThat(server.size()).isZero();
    }

    @Test
    void permits_are_had_together_and_never_more_than_there_are() throws InterruptedException {
        Lease three = semaphore.acquire(3);
        assertThat(three.permits()).isEqualTo(3);
        Lease one = elsewhere.acquire();
        assertThat(elsewhere.tryAcquire(2)).isEmpty();
        Lease last = elsewhere.tryAcquire().orElseThrow();
        assertThat(semaphore.tryAcquire()).isEmpty();
        assertThat(semaphore.tryAcquire(1, Duration.ZERO)).isEmpty();
        three.release();
        assertThat(semaphore.tryAcquire(4)).isEmpty();
        assertThat(semaphore.tryAcquire(3)).isPresent();
        assertThat(List.of(one.permits(), last.permits())).containsExactly(1, 1);
    }

    @Test
    void a_large_request_that_waits_is_not_passed_by_small_ones() {
        Lease three = semaphore.tryAcquire(3).orElseThrow();
        Lease two = semaphore.tryAcquire(2).orElseThrow();
        CompletableFuture<Lease> all = elsewhere.acquireAsync(5);
        two.release();
        assertThat(semaphore.tryAcquire())
                .as("a permit is free, and somebody waits")
                .isEmpty();
        CompletableFuture<Lease> small = semaphore.acquireAsync(1);
        three.release();
        assertThat(all).isCompleted();
        assertThat(small).isNotDone();
        all.join().release();
        assertThat(small).isCompleted();
    }

    @Test
    void permits_that_are_given_back_early_let_those_in_who_fit_and_the_rest_keeps_its_token() {
        Lease all = semaphore.tryAcquire(5).orElseThrow();
        CompletableFuture<Lease> two = elsewhere.acquireAsync(2);
        CompletableFuture<Lease> one = elsewhere.acquireAsync(1);
        CompletableFuture<Lease> four = elsewhere.acquireAsync(4);
        Lease left = semaphore.giveBack(all, 3);
        assertThat(left.permits()).isEqualTo(2);
        assertThat(left.fencingToken()).isEqualTo(all.fencingToken());
        assertThat(all.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(two).isCompleted();
        assertThat(one).isCompleted();
        assertThat(four).isNotDone();
        time.advance(Duration.ofMinutes(2));
        assertThat(left.state()).isEqualTo(LeaseState.HELD);
        left.release();
        two.join().release();
        assertThat(four).isCompleted();
        assertThat(one.join().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void what_can_not_be_given_back_says_why() {
        Lease two = semaphore.tryAcquire(2).orElseThrow();
        for (int wrong : new int[] {-1, 0, 2, 3}) {
            assertThatThrownBy(() -> semaphore.giveBack(two, wrong))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("can't give back " + wrong + " permits");
        }
        assertThatThrownBy(() -> elsewhere.giveBack(two, 1)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.semaphore("t", 5).giveBack(two, 1))
                .isInstanceOf(InvalidArgumentException.class);
        two.release();
        assertThatThrownBy(() -> semaphore.giveBack(two, 1)).isInstanceOf(LeaseReleasedException.class);
    }

    @Test
    void numbers_out_of_range_are_refused_before_anything_is_sent() {
        for (int wrong : new int[] {Integer.MIN_VALUE, 0, 1 << 20}) {
            assertThatThrownBy(() -> client.semaphore("s", wrong))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessage("semaphore 's' has " + wrong + " permits: it must have from 1 to 1048575");
        }
        for (int wrong : new int[] {-1, 0, 6}) {
            assertThatThrownBy(() -> semaphore.permits(wrong))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessage(wrong + " permits of semaphore 's': it must be from 1 to its total of 5");
        }
        assertThat(server.size()).isZero();
    }

    @Test
    void clients_that_name_another_total_are_told_so() {
        Lease one = semaphore.tryAcquire().orElseThrow();
        assertThatThrownBy(() -> other.semaphore("s", 8).tryAcquire(2))
                .isInstanceOf(BackendException.class)
                .hasMessage("could not lock 's' (2 of 8 permits): it is a semaphore of 5 permits at present, "
                        + "not a semaphore of 8 permits");
        one.release();
        assertThat(other.semaphore("s", 8).tryAcquire(8)).isPresent();
    }

    @Test
    void a_semaphore_of_one_permit_is_an_exclusive_lock() {
        Lease one = client.semaphore("one", 1).tryAcquire().orElseThrow();
        assertThat(other.lock("one").tryAcquire()).isEmpty();
        one.release();
        Lease exclusive = other.lock("one").tryAcquire().orElseThrow();
        assertThat(client.semaphore("one", 1).tryAcquire()).isEmpty();
        assertThat(exclusive.permits()).isEqualTo(1);
    }

    @Test
    void permits_as_a_thread_owned_lock_are_reentrant() {
        semaphore.permits(2).asReentrantLock().lock();
        semaphore.permits(2).asReentrantLock().lock();
        assertThat(elsewhere.tryAcquire(3)).isPresent();
        assertThat(semaphore.permits(2).asReentrantLock().getHoldCount()).isEqualTo(2);
        assertThat(semaphore.permits(1).asReentrantLock().getHoldCount()).isZero();
        semaphore.permits(2).asReentrantLock().unlock();
        semaphore.permits(2).asReentrantLock().unlock();
        assertThat(elsewhere.tryAcquire(2)).isPresent();
    }

    @Test
    void more_than_sixteen_that_wait_in_one_client_are_all_served_in_their_order() {
        Lease all = elsewhere.tryAcquire(5).orElseThrow();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            waiting.add(semaphore.acquireAsync(1));
        }
        all.release();
        Set<Long> tokens = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            CompletableFuture<Lease> one = waiting.get(i);
            assertThat(one).as("the one at %s", i).isCompleted();
            assertThat(i + 5 < 40 && waiting.get(i + 5).isDone())
                    .as("too early, at %s", i + 5)
                    .isFalse();
            tokens.add(one.join().fencingToken());
            one.join().release();
        }
        assertThat(tokens).hasSize(40);
    }

    @Test
    void permits_that_are_handed_on_have_tokens_of_their_own_and_the_server_is_not_asked() {
        Lease first = semaphore.tryAcquire(5).orElseThrow();
        CompletableFuture<Lease> second = semaphore.acquireAsync(5);
        CompletableFuture<Lease> third = semaphore.acquireAsync(5);
        first.release();
        assertThat(second.join().fencingToken()).isEqualTo(first.fencingToken() + 1);
        assertThat(third).isNotDone();
        second.join().release();
        assertThat(third.join().fencingToken()).isGreaterThan(first.fencingToken() + 255);
        third.join().release();
        assertThat(elsewhere.tryAcquire(5)).isPresent();
    }

    @Test
    void a_floor_is_above_the_tokens_of_permits_that_would_have_been_handed_on() {
        Lease first = semaphore.tryAcquire(5).orElseThrow();
        CompletableFuture<Lease> second = semaphore.acquireAsync(5);
        CompletableFuture<Lease> third = semaphore.acquireAsync(5);
        long floor = first.fencingToken() + 100_000;
        client.lock("s").raiseTokenFloor(floor);
        first.release();
        assertThat(second.join().fencingToken()).isGreaterThan(floor);
        second.join().release();
        third.join().release();
    }

    @Test
    void a_backend_without_shares_refuses_them_before_anything_is_sent() {
        ScriptedBackend exclusive = new ScriptedBackend(server.link());
        exclusive.capabilities = Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE);
        try (LockClient narrow = LockClient.over(exclusive, options)) {
            assertThat(narrow.capabilities().sharedLocks()).isFalse();
            assertThatThrownBy(() -> narrow.semaphore("s", 5))
                    .isInstanceOf(UnsupportedCapabilityException.class)
                    .hasMessage("'s' can't be a semaphore: this backend offers exclusive locks only");
            assertThatThrownBy(() -> narrow.readWriteLock("s")).isInstanceOf(UnsupportedCapabilityException.class);
        }
        assertThat(client.capabilities().sharedLocks()).isTrue();
    }

    @Test
    void names_and_texts_say_what_it_is() {
        assertThat(semaphore.name()).isEqualTo("s");
        assertThat(semaphore.total()).isEqualTo(5);
        assertThat(semaphore).hasToString("DistributedSemaphore[s, 5 permits]");
        assertThat(semaphore.permits(2)).hasToString("DistributedLock[s (2 of 5 permits)]");
    }
}
