package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockOptions;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Released;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer crosses a wait, a close or an error: its effects and notifications are not lost. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineCrossingsTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ScriptedBackend backend = new ScriptedBackend(server.link());
    private final List<Runnable> onContended = new ArrayList<>();
    private final ClientOptions options = ClientOptions.defaults()
            .timing(time)
            .executor(Runnable::run)
            .addListener(event -> {
                if (event instanceof LockEvent.Contended) {
                    onContended.forEach(Runnable::run);
                }
            });
    private final LockClient client = LockClient.over(backend, options);

    @Test
    void ap2_a_local_wait_is_empty_if_the_answer_it_waited_for_is_a_refusal_after_a_failure() {
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        BackendFailure failure = new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED, "scripted", null);
        backend.onAcquire = (claim, call) -> CompletableFuture.failedFuture(failure);
        CompletableFuture<Lease> first = client.lock("a").acquireAsync();
        backend.onAcquire = (claim, call) -> answer;
        CompletableFuture<Optional<Lease>> behind = client.lock("a").tryAcquireAsync(Duration.ofMillis(300));
        time.advance(Duration.ofMillis(400));
        assertThat(behind).isNotDone();

        answer.complete(new Attempt.Busy(Duration.ofSeconds(1)));

        assertThat(behind).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
    }

    @Test
    void a_wait_that_is_cancelled_while_its_refusal_is_taken_in_leaves_no_place_on_the_server() {
        LockClient other = LockClient.over(server.link(), options);
        Lease elsewhere = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> {
            assertThat(call.get()).isNotNull();
            return answer;
        };
        CompletableFuture<Lease> first = client.lock("a").acquireAsync();
        CompletableFuture<Optional<Lease>> behind = client.lock("a").tryAcquireAsync(Duration.ofMillis(300));
        time.advance(Duration.ofMillis(400));
        onContended.add(() -> first.cancel(false));

        answer.complete(new Attempt.Busy(Duration.ofSeconds(1)));

        assertThat(behind).isDone();
        assertThat(first).isCancelled();
        assertThat(server.present("a")).isEqualTo(1);
        elsewhere.release();
        assertThat(server.size()).isZero();
    }

    @Test
    void close_waits_for_both_withdrawals_of_a_request_that_the_first_one_overtook() throws Exception {
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        List<CompletableFuture<Released>> releases = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        AtomicInteger release = new AtomicInteger();
        backend.onAcquire = (claim, call) -> answer;
        backend.onRelease = (claim, call) -> releases.get(release.getAndIncrement());
        CompletableFuture<Lease> waiter = client.lock("a").acquireAsync();
        waiter.cancel(false);
        answer.complete(new Attempt.Busy(Duration.ofSeconds(1)));
        assertThat(release).hasValue(2);
        releases.get(0).complete(Released.NOT_HELD);

        Thread closing = new Thread(client::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
        boolean waits = closing.isAlive();
        releases.get(1).complete(Released.NOT_HELD);
        closing.join(TimeUnit.SECONDS.toMillis(5));

        assertThat(waits).isTrue();
        assertThat(closing.isAlive()).isFalse();
    }

    @Test
    void a_grant_that_arrives_while_the_client_closes_is_given_back_before_the_backend_is_closed() {
        List<Runnable> atNextLookAtTheClock = new ArrayList<>();
        ClientTiming timing = new ClientTiming() {
            @Override
            public long nanoTime() {
                List<Runnable> now = List.copyOf(atNextLookAtTheClock);
                atNextLookAtTheClock.clear();
                now.forEach(Runnable::run);
                return time.nanoTime();
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                return time.schedule(delay, task);
            }
        };
        LockClient own =
                LockClient.over(backend, ClientOptions.defaults().timing(timing).executor(Runnable::run));
        List<Boolean> closedAtRelease = new ArrayList<>();
        backend.onRelease = (claim, call) -> {
            closedAtRelease.add(backend.closed);
            return call.get();
        };
        CompletableFuture<Void> granted = new CompletableFuture<>();
        backend.onAcquire = (claim, call) -> call.get().thenCompose(attempt -> granted.thenApply(now -> attempt));
        CompletableFuture<Lease> second = own.lock("a").acquireAsync();
        atNextLookAtTheClock.add(own::close);
        granted.complete(null);

        assertThat(second).isCompletedExceptionally();
        assertThat(closedAtRelease).isNotEmpty().first().isEqualTo(false);
        assertThat(server.size()).isZero();
    }

    @Test
    void after_close_a_future_completes_although_its_executor_refuses_everything() {
        AtomicBoolean shut = new AtomicBoolean();
        ClientOptions own = ClientOptions.defaults().executor(task -> {
            if (shut.get()) {
                throw new RejectedExecutionException("shut down");
            }
            task.run();
        });
        ScriptedBackend unanswered = new ScriptedBackend(new MemoryServer(new RealClock()).link());
        CompletableFuture<Attempt> answer = new CompletableFuture<>();
        unanswered.onAcquire = (claim, call) -> answer;
        LockClient closed = LockClient.over(unanswered, own);
        CompletableFuture<Optional<Lease>> attempt = closed.lock("a").tryAcquireAsync(Duration.ZERO);
        shut.set(true);
        answer.complete(new Attempt.Busy(Duration.ofSeconds(1)));

        closed.close();

        await().atMost(Duration.ofSeconds(2)).until(attempt::isDone);
    }

    @Test
    void a_lease_that_is_over_when_its_grant_comes_and_was_doubted_meanwhile_does_not_keep_the_lock() {
        LockOptions brief = LockOptions.defaults().maxHold(Duration.ofMillis(50));
        backend.onAcquire = (claim, call) -> {
            backend.signal(0, Signal.SUSPECT);
            time.pause(Duration.ofMillis(60));
            return call.get();
        };
        assertThat(client.lock("a", brief).tryAcquire().orElseThrow().state()).isEqualTo(LeaseState.LOST);
        backend.onAcquire = (claim, call) -> call.get();
        assertThat(client.lock("a").acquireAsync()).isDone();
    }

    @Test
    void what_was_signalled_before_the_last_request_does_not_make_its_grant_suspect() throws Exception {
        LockClient other = LockClient.over(
                server.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));
        Lease held = other.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> waiting = client.lock("a").acquireAsync();
        backend.signal(0, Signal.SUSPECT);
        held.release();
        assertThat(waiting.join().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_logger_that_throws_does_not_stop_the_lock() {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger("io.hasp");
        java.util.logging.Handler broken = new java.util.logging.Handler() {
            @Override
            public void publish(java.util.logging.LogRecord line) {
                throw new IllegalStateException("the log is broken");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Lease lease = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> next = client.lock("a").acquireAsync();
        logger.addHandler(broken);
        try {
            backend.signal(0, Signal.LOST);
        } catch (IllegalStateException thrown) {
            // It may reach the backend.
        } finally {
            logger.removeHandler(broken);
        }
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        time.advance(Duration.ofSeconds(1));
        assertThat(next).isDone();
    }
}
