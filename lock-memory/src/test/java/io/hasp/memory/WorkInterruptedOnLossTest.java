package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work is interrupted when its lease is lost, before another client has the lock, and never afterwards. */
class WorkInterruptedOnLossTest {
    private static final Duration FIXED = Duration.ofSeconds(5);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ClientOptions plain = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, plain.onLoss(OnLoss.INTERRUPT));
    private final LockClient other = LockClient.over(server.link(), plain);

    @AfterEach
    void close() {
        link.heal();
        client.closeNow();
        other.closeNow();
        assertThat(Thread.interrupted()).as("an interrupt that was left").isFalse();
    }

    private static LockOptions fixed() {
        return LockOptions.defaults().fixedLease(FIXED);
    }

    /** The clock is advanced by the work itself, so that the loss is found on its thread. */
    private void loseFixed() {
        time.advance(FIXED);
    }

    private static void rest() throws InterruptedException {
        Thread.sleep(60_000);
    }

    @Test
    void work_that_sleeps_is_woken_and_the_call_says_why() {
        assertThatThrownBy(() -> client.lock("a", fixed()).run(lease -> {
                    loseFixed();
                    rest();
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'a'")
                .satisfies(loss ->
                        assertThat(loss.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void every_form_of_a_call_is_interrupted() {
        DistributedLock lock = client.lock("a", fixed());
        assertThatThrownBy(() -> lock.call(lease -> lostAndWoken())).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.tryCall(Duration.ZERO, lease -> lostAndWoken()))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.tryRun(lease -> lostAndWoken())).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.tryRun(Duration.ZERO, lease -> lostAndWoken()))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> client.readWriteLock("rw", fixed()).read().run(lease -> lostAndWoken()))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> client.semaphore("s", 3, fixed()).permits(2).run(lease -> lostAndWoken()))
                .isInstanceOf(LeaseLostException.class);
    }

    private boolean lostAndWoken() throws InterruptedException {
        loseFixed();
        rest();
        return true;
    }

    @Test
    void an_interrupt_that_the_work_does_not_heed_is_taken_back() {
        assertThatThrownBy(() -> client.lock("a", fixed()).run(lease -> {
                    loseFixed();
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void what_the_work_threw_after_the_loss_is_not_lost() {
        assertThatThrownBy(() -> client.lock("a", fixed()).run(lease -> {
                    loseFixed();
                    throw new IOException("broken");
                }))
                .isInstanceOf(LeaseLostException.class)
                .satisfies(
                        loss -> assertThat(loss.getSuppressed()).singleElement().isInstanceOf(IOException.class));
        Error error = new AssertionError("an error");
        Throwable thrown = catchThrowable(() -> client.lock("a", fixed()).run(lease -> {
            loseFixed();
            throw error;
        }));
        assertThat(thrown).isSameAs(error);
        assertThat(error.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void nobody_is_interrupted_unless_it_is_wanted() {
        assertThatThrownBy(() -> other.lock("a", fixed()).run(lease -> {
                    loseFixed();
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> client.lock("a", fixed().onLoss(OnLoss.CONTINUE))
                        .run(lease -> {
                            loseFixed();
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        }))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(
                        () -> other.lock("a", fixed().onLoss(OnLoss.INTERRUPT)).run(lease -> lostAndWoken()))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
    }

    @Test
    void a_lease_that_the_work_released_is_not_lost() throws Exception {
        client.lock("a", fixed()).run(lease -> {
            lease.release();
            loseFixed();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void an_interrupt_by_somebody_else_stays() throws Exception {
        client.lock("a").run(lease -> Thread.currentThread().interrupt());
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> client.lock("a").run(lease -> {
                    Thread.currentThread().interrupt();
                    rest();
                }))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void the_work_of_a_client_that_is_closed_is_interrupted() {
        assertThatThrownBy(() -> client.lock("a").run(lease -> {
                    client.closeNow();
                    rest();
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("its client was ended by closeNow()");
    }

    @Test
    void the_loss_of_an_outer_lease_interrupts_the_inner_work_and_outlives_it() {
        List<String> seen = new ArrayList<>();
        Throwable thrown = catchThrowable(() -> client.lock("outer", fixed()).run(outer -> {
            Throwable inner = catchThrowable(() -> client.lock("inner").run(lease -> {
                loseFixed();
                rest();
            }));
            seen.add(inner.getClass().getSimpleName());
            throw new IOException("gone on");
        }));
        assertThat(seen).containsExactly("InterruptedException");
        assertThat(thrown).isInstanceOf(LeaseLostException.class).hasMessageContaining("'outer'");
    }

    @Test
    void if_both_leases_are_lost_the_inner_call_takes_back_its_own_interrupt_alone() {
        List<Boolean> interrupted = new ArrayList<>();
        Throwable thrown = catchThrowable(() -> client.lock("outer", fixed()).run(outer -> {
            Throwable inner = catchThrowable(() -> client.lock("inner", fixed()).run(lease -> lostAndWoken()));
            assertThat(inner).isInstanceOf(LeaseLostException.class).hasMessageContaining("'inner'");
            interrupted.add(Thread.currentThread().isInterrupted());
        }));
        assertThat(interrupted).containsExactly(true);
        assertThat(thrown).isInstanceOf(LeaseLostException.class).hasMessageContaining("'outer'");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void works_under_one_lease_are_all_stopped_and_the_lease_stays_its_holders() throws Exception {
        Lease held = client.lock("a", fixed()).acquire();
        assertThat(held.<String, RuntimeException>call(lease -> lease.name())).isEqualTo("a");
        CompletableFuture<String> before = new CompletableFuture<>();
        CompletableFuture<String> done = held.callAsync(lease -> before);
        before.complete("done");
        assertThat(done).isCompletedWithValue("done");
        assertThat(held.state()).isEqualTo(LeaseState.HELD);

        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> stopped = held.callAsync(lease -> stage);
        List<Throwable> inner = new ArrayList<>();
        assertThatThrownBy(() -> held.call(outer -> {
                    inner.add(catchThrowable(() -> held.call(lease -> lostAndWoken())));
                    rest();
                    return "not reached";
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(new InterruptedException("sleep interrupted"));
        assertThat(inner).singleElement().isInstanceOf(LeaseLostException.class);
        assertThat(stage).isCancelled();
        assertThat(stopped)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void work_does_not_begin_under_a_lease_that_is_over() throws Exception {
        Lease held = client.lock("a").acquire();
        held.release();
        assertThatThrownBy(() -> held.call(lease -> lostAndWoken()))
                .isInstanceOf(LeaseReleasedException.class)
                .hasMessageContaining("was released before");
        assertThatThrownBy(() -> held.callAsync(lease -> new CompletableFuture<>()))
                .isInstanceOf(LeaseReleasedException.class);
    }

    @Test
    void a_holder_that_is_cut_off_is_interrupted_before_another_client_has_the_lock() {
        CompletableFuture<Lease> waiter = new CompletableFuture<>();
        assertThatThrownBy(() -> client.lock("a").run(lease -> {
                    other.lock("a").acquireAsync().thenAccept(waiter::complete);
                    link.partition();
                    while (!Thread.currentThread().isInterrupted()) {
                        assertThat(waiter).isNotDone();
                        time.advance(Duration.ofMillis(1));
                    }
                    assertThat(waiter).isNotDone();
                    rest();
                }))
                .isInstanceOf(LeaseLostException.class);
        link.heal();
        time.advance(Duration.ofMinutes(1));
        assertThat(waiter)
                .isCompletedWithValueMatching(lease -> !lease.state().name().equals("LOST"));
        waiter.join().release();
    }

    @Test
    void work_at_the_end_of_a_fixed_lease_or_of_max_hold_has_the_margin_of_a_holder_that_is_cut_off() {
        for (LockOptions options : List.of(fixed(), LockOptions.defaults().maxHold(FIXED))) {
            CompletableFuture<Lease> waiter = new CompletableFuture<>();
            assertThatThrownBy(() -> client.lock("a", options).run(lease -> {
                        other.lock("a").acquireAsync().thenAccept(waiter::complete);
                        while (!Thread.currentThread().isInterrupted()) {
                            time.advance(Duration.ofMillis(1));
                        }
                        time.advance(Duration.ofMillis(1));
                        assertThat(waiter)
                                .as("while the interrupted work may stop")
                                .isNotDone();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(waiter).as("when the call has ended").isCompleted();
            waiter.join().release();
        }
    }

    @Test
    void work_that_ignores_its_interrupt_holds_up_others_for_the_margin_only() {
        CompletableFuture<Lease> waiter = new CompletableFuture<>();
        assertThatThrownBy(() -> client.lock("a", LockOptions.defaults().maxHold(FIXED))
                        .run(lease -> {
                            other.lock("a").acquireAsync().thenAccept(waiter::complete);
                            time.advance(FIXED);
                            time.advance(Duration.ofSeconds(1));
                            assertThat(waiter).isCompleted();
                        }))
                .isInstanceOf(LeaseLostException.class);
        waiter.join().release();
    }

    @Test
    void a_uri_says_it_and_what_else_is_said_is_refused() {
        try (LockClient interrupting = LockClient.connect("memory://loss?onLoss=interrupt")) {
            assertThatThrownBy(() -> interrupting
                            .lock("a", LockOptions.defaults().fixedLease(Duration.ofMillis(50)))
                            .run(lease -> rest()))
                    .isInstanceOf(LeaseLostException.class);
        }
        assertThatThrownBy(() -> LockClient.connect("memory://loss?onLoss=stop"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("URI parameter onLoss=stop is neither interrupt nor continue");
    }
}
