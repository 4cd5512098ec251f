package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.OnLoss;
import io.hasp.ReleaseResult;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AP10: a client that closes gives no lock back while work under it runs. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class CloseWaitsForWorkTest {
    private static final Executor THREADS = task -> new Thread(task, "beside the test").start();
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LONG_LEASE = Duration.ofMinutes(1);
    /** Shorter than any time for which a client closes here, and than a long lease. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final LockClient other = LockClient.over(server.link(), ClientOptions.defaults());

    private LockClient client(Duration closeWithin, OnLoss onLoss) {
        return client(closeWithin, onLoss, LEASE);
    }

    private LockClient client(Duration closeWithin, OnLoss onLoss, Duration lease) {
        return LockClient.over(
                server.link(),
                ClientOptions.defaults()
                        .renewedLease(lease)
                        .closeWithin(closeWithin)
                        .onLoss(onLoss));
    }

    private static Lease taken(LockClient client) {
        return CompletableFuture.supplyAsync(() -> client.lock("a").tryAcquire(), THREADS)
                .join()
                .orElseThrow();
    }

    private static CompletableFuture<Void> closing(LockClient client) {
        return CompletableFuture.runAsync(client::close, THREADS);
    }

    @Test
    void ap10_a_lease_taken_by_hand_is_renewed_and_waited_for_and_waiters_fail_at_once() throws Exception {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        Lease lease = taken(client);
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        CompletableFuture<Void> closed = closing(client);
        assertThat(waiter).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(ClientClosedException.class);
        assertThat(other.lock("a").tryAcquire(LEASE.plusSeconds(1)))
                .as("for longer than the lease")
                .isEmpty();
        assertThat(closed).isNotDone();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(closed).succeedsWithin(SOON);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_work_that_ends_with_a_future_is_waited_for() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        CompletableFuture<Integer> work = new CompletableFuture<>();
        CompletableFuture<Integer> call = client.lock("a").callAsync(lease -> work);
        await().until(() -> server.present("a") == 1);
        CompletableFuture<Void> closed = closing(client);
        assertThat(closed).failsWithin(Duration.ofMillis(500));
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        work.complete(7);
        assertThat(call).succeedsWithin(SOON).isEqualTo(7);
        assertThat(closed).succeedsWithin(SOON);
    }

    @Test
    void ap10_what_is_held_when_the_time_is_over_ends_with_its_lease_and_not_before() throws Exception {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE);
        Lease lease = taken(client);
        client.close();
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        Lease next = other.lock("a").tryAcquire(LEASE.multipliedBy(3)).orElseThrow();
        assertThat(lease.state()).as("when another client has the lock").isEqualTo(LeaseState.LOST);
        next.release();
    }

    @Test
    void ap10_a_close_ends_although_the_program_s_clock_stands_still() {
        VirtualTime stopped = new VirtualTime();
        LockClient client = LockClient.over(
                new MemoryServer(stopped).link(),
                ClientOptions.defaults().timing(stopped).closeWithin(Duration.ofMillis(100)));
        taken(client);
        assertThat(closing(client)).succeedsWithin(SOON);
    }

    @Test
    void ap10_a_lease_that_was_left_is_released_by_its_work() {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE, LONG_LEASE);
        Lease lease = taken(client);
        client.close();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_close_now_gives_back_what_a_close_waits_for() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE, LONG_LEASE);
        Lease lease = taken(client);
        CompletableFuture<Void> closed = closing(client);
        assertThat(closed).failsWithin(Duration.ofMillis(200));
        client.closeNow();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(closed).succeedsWithin(SOON);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_close_now_gives_back_what_a_close_left() {
        LockClient client = client(Duration.ZERO, OnLoss.CONTINUE, LONG_LEASE);
        Lease lease = taken(client);
        client.close();
        client.closeNow();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_work_that_heeds_interrupts_ends_when_the_time_is_over_and_its_lock_is_given_back() {
        LockClient client = client(Duration.ofMillis(200), OnLoss.INTERRUPT);
        CountDownLatch working = new CountDownLatch(1);
        CompletableFuture<Object> work = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                client.lock("a").run(lease -> {
                    working.countDown();
                    new CountDownLatch(1).await();
                });
            } catch (InterruptedException e) {
                work.complete(e);
            }
        });
        await().until(() -> working.getCount() == 0);
        client.close();
        assertThat(work).succeedsWithin(SOON);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void ap10_clients_that_close_together_stop_at_once_and_count_the_time_that_has_elapsed() {
        LockClient one = client(Duration.ofSeconds(60), OnLoss.CONTINUE, LONG_LEASE);
        LockClient two = client(Duration.ofSeconds(60), OnLoss.CONTINUE, LONG_LEASE);
        Lease lease = taken(one);
        Lease further = CompletableFuture.supplyAsync(() -> two.lock("b").tryAcquire(), THREADS)
                .join()
                .orElseThrow();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(
                () -> LockClient.closeAll(List.of(one, two), Duration.ofSeconds(55)), THREADS);
        for (LockClient each : List.of(one, two)) {
            await().until(() -> refuses(each));
        }
        assertThat(closed).failsWithin(Duration.ofMillis(200));
        assertThat(closed).succeedsWithin(SOON);
        assertThat(lease.state()).isEqualTo(LeaseState.SUSPECT);
        assertThat(further.release()).isEqualTo(ReleaseResult.RELEASED);
        lease.close();
    }

    private static boolean refuses(LockClient client) {
        try {
            client.lock("c").tryAcquire().ifPresent(Lease::close);
            return false;
        } catch (ClientClosedException closed) {
            return true;
        }
    }

    @Test
    void ap10_nothing_is_closed_if_the_time_or_a_client_is_wrong() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        assertThatThrownBy(() -> LockClient.closeAll(List.of(client), Duration.ofSeconds(-1)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("elapsed is PT-1S: it must be zero or positive");
        assertThatThrownBy(() -> LockClient.closeAll(Arrays.asList(client, null), Duration.ZERO))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(client.lock("a").tryAcquire()).hasValueSatisfying(Lease::close);
        LockClient.closeAll(List.of(), Duration.ZERO);
        LockClient.closeAll(List.of(client, client), Duration.ZERO);
        assertThat(refuses(client)).isTrue();
    }

    @Test
    void ap10_close_inside_of_its_own_work_returns_and_leaves_the_lock() throws Exception {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        client.lock("a").run(lease -> {
            client.close();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
        });
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    /** A future that is cancelled does not say whether its work has ended. */
    @Test
    void ap10_a_future_whose_work_goes_on_is_not_cancelled_and_keeps_its_lock_when_the_time_is_over()
            throws InterruptedException {
        LockClient client = client(Duration.ZERO, OnLoss.INTERRUPT, LONG_LEASE);
        CompletableFuture<Integer> work = new CompletableFuture<>();
        CompletableFuture<Integer> call = client.lock("a").callAsync(lease -> work);
        await().until(() -> server.present("a") == 1);
        client.close();
        assertThat(work).isNotDone();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        work.complete(7);
        assertThat(call).succeedsWithin(SOON).isEqualTo(7);
        assertThat(other.lock("a").tryAcquire(SOON)).isPresent();
    }

    /** It is lost then. */
    @Test
    void ap10_a_future_that_was_left_is_cancelled_when_its_lease_ends() {
        LockClient client = client(Duration.ZERO, OnLoss.INTERRUPT);
        CompletableFuture<Integer> work = new CompletableFuture<>();
        CompletableFuture<Integer> call = client.lock("a").callAsync(lease -> work);
        await().until(() -> server.present("a") == 1);
        client.close();
        assertThat(call)
                .failsWithin(LEASE.multipliedBy(3))
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(work).isCancelled();
    }

    /** Work that sleeps through the first interrupt is notified of the loss. */
    @Test
    void ap10_work_that_ignored_the_interrupt_of_the_close_is_interrupted_again_when_its_lease_is_lost() {
        LockClient client = client(Duration.ZERO, OnLoss.INTERRUPT);
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        CompletableFuture<Object> work = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                client.lock("a").run(lease -> {
                    working.countDown();
                    interrupted(first);
                    interrupted(second);
                });
            } catch (LeaseLostException | InterruptedException e) {
                work.complete(e);
            }
        });
        await().until(() -> working.getCount() == 0);
        client.close();
        await().until(() -> first.getCount() == 0);
        await().atMost(LEASE.multipliedBy(3)).until(() -> second.getCount() == 0);
        assertThat(work).succeedsWithin(SOON).isInstanceOf(LeaseLostException.class);
    }

    private static void interrupted(CountDownLatch noted) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            noted.countDown();
        }
    }

    @Test
    void ap10_two_threads_that_close_inside_of_their_work_do_not_wait_for_each_other() {
        LockClient client = client(Duration.ofSeconds(20), OnLoss.CONTINUE);
        CountDownLatch working = new CountDownLatch(2);
        List<CompletableFuture<Void>> works = Stream.of("a", "b")
                .map(lock -> CompletableFuture.runAsync(() -> closesInside(client, lock, working), THREADS))
                .toList();
        assertThat(works).allSatisfy(work -> assertThat(work).succeedsWithin(Duration.ofSeconds(10)));
    }

    private static void closesInside(LockClient client, String lock, CountDownLatch working) {
        try {
            client.lock(lock).run(lease -> {
                working.countDown();
                working.await();
                client.close();
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The best of some: a second would be granted each time. */
    @Test
    void ap10_close_grants_no_further_second_to_work_that_it_does_not_interrupt() {
        assertThat(Stream.generate(this::closing).limit(3)).anyMatch(took -> took.compareTo(Duration.ofSeconds(1)) < 0);
    }

    private Duration closing() {
        LockClient client = client(Duration.ofMillis(100), OnLoss.CONTINUE);
        Lease lease = taken(client);
        long begun = System.nanoTime();
        client.close();
        lease.release();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** The work that ends the process waits for the hook that closes the client. */
    @Test
    @Timeout(180)
    void ap10_a_program_that_ends_inside_of_its_work_does_not_wait_for_that_work() throws Exception {
        Process program = new ProcessBuilder(JavaProgram.command(List.of(), ExitInsideOfWork.class))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(program.waitFor(2, TimeUnit.MINUTES))
                    .as("within less than its client's %s", ExitInsideOfWork.CLOSE_WITHIN)
                    .isTrue();
            assertThat(program.exitValue()).isEqualTo(7);
        } finally {
            program.destroyForcibly();
        }
    }
}
