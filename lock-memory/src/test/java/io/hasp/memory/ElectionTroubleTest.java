package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.ElectionOptions;
import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.Ordering;
import io.hasp.Term;
import io.hasp.conformance.LogLines;
import io.hasp.spi.LogQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elections whose users close, resign, wait, listen and fail at bad moments. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElectionTroubleTest {
    private static final Executor THREADS = task -> new Thread(task, "beside the test").start();
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final MemoryServer server = new MemoryServer(new RealClock());
    private final MemoryLink link = server.link();
    private final ScriptedBackend backend = new ScriptedBackend(link);
    private final ClientOptions options =
            ClientOptions.defaults().renewedLease(LEASE).closeWithin(LONG);
    private final LockClient client = LockClient.over(backend, options);
    private final LockClient other = LockClient.over(server.link(), options);
    private final LeaderElection election = client.election("a", quick());
    private final LeaderElection rival = other.election("a", quick());

    private int inARow;
    private boolean closed;

    private static ElectionOptions quick() {
        return ElectionOptions.defaults().pause(Duration.ofMillis(50)).label("suspected");
    }

    @AfterEach
    void close() {
        link.heal();
        client.closeNow();
        other.closeNow();
    }

    private static Duration time(Runnable task) {
        long begun = System.nanoTime();
        task.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void a_candidate_that_joins_while_its_client_closes_is_closed() throws Exception {
        LeaderElection late = client.election("late", quick());
        election.onChange(Runnable::run, change -> {
            if (change instanceof LeaderChange.Ended) {
                late.join();
            }
        });
        assertThat(election.await(LONG)).isPresent();
        assertThat(time(client::close)).isLessThan(Duration.ofSeconds(5));
        assertThat(late.isLeader()).isFalse();
        assertThat(server.present("late")).isZero();
    }

    @Test
    void a_resignation_with_too_little_stack_loses_nothing() throws Exception {
        assertThat(election.await(LONG)).isPresent();
        // Loads what it needs.
        election.resign();
        for (int round = 0; round < 4; round++) {
            assertThat(election.await(LONG)).isPresent();
            int mine = round;
            Thread thread = new Thread(null, () -> goDown(mine), "stack exhaustion", 512 * 1024);
            thread.start();
            thread.join();
            assertThat(election.await(Duration.ofSeconds(3)))
                    .as("round " + round)
                    .isPresent();
        }
    }

    private void goDown(int round) {
        if (round > 0) {
            goDown(round - 1);
        } else {
            inARow = 0;
            descend(0);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void descend(int deeper) {
        try {
            descend(deeper + 1);
        } catch (StackOverflowError end) {
            // goes back
        }
        if (inARow < 50) {
            try {
                election.resign();
                inARow++;
            } catch (StackOverflowError tooLittle) {
                inARow = 0;
            }
        }
    }

    @Test
    void a_close_with_too_little_stack_loses_nothing() throws Exception {
        // Loads what it needs.
        assertThat(election.await(LONG)).isPresent();
        election.close();
        for (int round = 0; round < 4; round++) {
            LeaderElection one = client.election("b", quick());
            assertThat(one.await(LONG)).isPresent();
            int mine = round;
            Thread thread = new Thread(null, () -> closeDown(mine, one), "stack exhaustion", 512 * 1024);
            thread.start();
            thread.join();
            await().atMost(Duration.ofSeconds(3)).until(() -> server.present("b") == 0);
        }
    }

    private void closeDown(int round, LeaderElection one) {
        if (round > 0) {
            closeDown(round - 1, one);
        } else {
            closing(0, one);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void closing(int deeper, LeaderElection one) {
        closed = false;
        try {
            closing(deeper + 1, one);
        } catch (StackOverflowError end) {
            // goes back
        }
        if (!closed) {
            try {
                one.close();
                closed = true;
            } catch (StackOverflowError tooLittle) {
                // again
            }
        }
    }

    private void fail() {
        backend.onAcquire = (claim, call) -> {
            throw new NoClassDefFoundError("of the test");
        };
        assertThatThrownBy(() -> client.lock("fails").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_wait_for_a_candidate_that_pauses_ends_when_the_client_fails() throws Exception {
        LeaderElection patient = client.election("a", ElectionOptions.defaults().pause(Duration.ofHours(1)));
        CountDownLatch worked = new CountDownLatch(1);
        patient.run(term -> {
            worked.countDown();
            throw new IllegalStateException("of the test");
        });
        worked.await();
        CompletableFuture<Throwable> waits = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                patient.await(Duration.ofSeconds(3));
            } catch (Throwable e) {
                waits.complete(e);
            }
        });
        Thread.sleep(200);
        fail();
        assertThat(waits).succeedsWithin(LONG).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_leader_and_one_that_waits_end_when_the_client_fails() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();
        election.onChange(THREADS, changes::add);
        election.run(term -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        await().until(election::isLeader);
        LeaderElection waiting = client.election("a", quick());
        CompletableFuture<Throwable> waits = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                waiting.await(LONG);
            } catch (Throwable e) {
                waits.complete(e);
            }
        });
        Thread.sleep(200);
        fail();
        assertThat(waits).succeedsWithin(LONG).isInstanceOf(ClientClosedException.class);
        await().untilTrue(interrupted);
        await().until(() -> changes.size() == 2);
        assertThat(time(election::close)).isLessThan(Duration.ofSeconds(2));
        assertThat(time(client::close)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void a_listener_on_the_spot_may_close_its_election_at_its_begin() {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(Runnable::run, change -> took.complete(time(election::close)));
        election.run(term -> new CountDownLatch(1).await());
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_listener_on_the_spot_may_close_its_election_at_its_end() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(Runnable::run, change -> {
            if (change instanceof LeaderChange.Ended) {
                took.complete(time(election::close));
            }
        });
        assertThat(election.await(LONG)).isPresent();
        THREADS.execute(election::resign);
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_listener_on_the_spot_may_close_its_election_after_work() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(Runnable::run, change -> {
            if (change instanceof LeaderChange.Ended) {
                took.complete(time(election::close));
            }
        });
        election.run(term -> {});
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_listener_elsewhere_may_close_its_election() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(THREADS, change -> took.complete(time(election::close)));
        election.run(term -> new CountDownLatch(1).await());
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_listener_on_the_spot_that_blocks_delays_no_work() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        election.onChange(Runnable::run, change -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        election.run(term -> {
            begun.countDown();
            new CountDownLatch(1).await();
        });
        try {
            await().atMost(Duration.ofSeconds(3)).until(() -> begun.getCount() == 0);
        } finally {
            release.countDown();
        }
    }

    @Test
    void a_rival_leads_though_a_listener_on_the_spot_blocks_the_leader_that_lost_its_lock() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        election.onChange(Runnable::run, change -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        election.join();
        await().until(election::isLeader);
        link.partition();
        await().until(() -> !election.isLeader());
        link.heal();
        rival.join();
        try {
            assertThat(rival.await(LONG)).isPresent();
        } finally {
            release.countDown();
        }
    }

    @Test
    void a_wait_that_begins_while_the_client_ends_fails_as_closed() throws Exception {
        AtomicReference<Runnable> first = new AtomicReference<>();
        ClientTiming timing = new ClientTiming() {
            private final StoppableTiming real = new StoppableTiming();

            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                Runnable before = delay.equals(Duration.ofSeconds(7)) ? first.getAndSet(null) : null;
                if (before != null) {
                    before.run();
                    throw new RejectedExecutionException("closed");
                }
                return real.schedule(delay, task);
            }
        };
        LockClient ends = LockClient.over(server.link(), options.timing(timing));
        first.set(ends::close);
        LeaderElection waits = ends.election("a", quick());
        assertThat(rival.await(LONG)).isPresent();
        assertThatThrownBy(() -> waits.await(Duration.ofSeconds(7))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_kept_lock_is_handed_over() throws Exception {
        LockClient keeper = LockClient.over(
                server.link(),
                ClientOptions.defaults().keep(Duration.ofSeconds(60)).renewedLease(Duration.ofSeconds(200)));
        try {
            LeaderElection kept = keeper.election("k", quick());
            LeaderElection next = other.election("k", quick());
            assertThat(kept.await(LONG)).isPresent();
            next.join();
            await().until(() -> server.present("k") == 2);
            kept.resign();
            assertThat(next.await(LONG)).isPresent();
            next.resign();
            assertThat(kept.await(LONG)).isPresent();
            kept.close();
            assertThat(next.await(LONG)).isPresent();
        } finally {
            keeper.closeNow();
        }
    }

    @Test
    void work_with_a_kept_lock_is_handed_over() throws Exception {
        LockClient keeper = LockClient.over(
                server.link(),
                ClientOptions.defaults().keep(Duration.ofSeconds(60)).renewedLease(Duration.ofSeconds(200)));
        try {
            LeaderElection kept = keeper.election("k", quick());
            LeaderElection next = other.election("k", quick());
            AtomicInteger terms = new AtomicInteger();
            kept.run(term -> terms.incrementAndGet());
            await().until(() -> terms.get() > 10);
            assertThat(next.await(LONG)).isPresent();
        } finally {
            keeper.closeNow();
        }
    }

    @Test
    void two_candidates_of_one_client_lead_in_turn() throws Exception {
        LeaderElection second = client.election("a", quick());
        assertThat(election.await(LONG)).isPresent();
        second.join();
        for (int i = 0; i < 5; i++) {
            assertThat(election.resign()).isTrue();
            assertThat(second.await(LONG)).isPresent();
            assertThat(election.isLeader()).isFalse();
            await().until(() -> server.present("a") >= 1);
            Thread.sleep(50);
            assertThat(second.resign()).isTrue();
            assertThat(election.await(LONG)).isPresent();
            Thread.sleep(50);
        }
    }

    @Test
    void max_hold_ends_a_term_and_the_rival_leads() throws Exception {
        LockClient limited = LockClient.over(server.link(), options.maxHold(Duration.ofMillis(500)));
        try {
            LeaderElection brief = limited.election("m", quick());
            AtomicInteger interrupted = new AtomicInteger();
            brief.run(term -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            });
            await().until(() -> interrupted.get() > 2);
            LeaderElection next = other.election("m", quick());
            assertThat(next.await(LONG)).isPresent();
        } finally {
            limited.closeNow();
        }
    }

    @Test
    void work_that_resigns_and_then_fails_is_logged_and_pauses() throws Exception {
        try (LogLines log = LogLines.about("suspected")) {
            AtomicInteger terms = new AtomicInteger();
            LeaderElection failing = client.election(
                    "f",
                    ElectionOptions.defaults().pause(Duration.ofMillis(300)).label("suspected"));
            failing.run(term -> {
                terms.incrementAndGet();
                failing.resign();
                throw new IllegalStateException("after its resignation");
            });
            Thread.sleep(1000);
            assertThat(terms.get()).isBetween(2, 4);
            LogQueue.flush(Duration.ofSeconds(1));
            assertThat(log.with("of election 'f' failed, and is tried again")).isNotEmpty();
        }
    }

    @Test
    void terms_leave_nothing_behind() throws Exception {
        Queue<WeakReference<Term>> seen = new ConcurrentLinkedQueue<>();
        election.run(term -> seen.add(new WeakReference<>(term)));
        await().until(() -> seen.size() > 2000);
        election.close();
        await().until(() -> {
            System.gc();
            return seen.stream().filter(each -> each.get() != null).count() < 20;
        });
    }

    @Test
    void a_wait_with_an_interrupt_throws_even_if_the_candidate_leads() throws Exception {
        assertThat(election.await(LONG)).isPresent();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> election.await(LONG)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_close_whose_release_is_not_answered_does_not_speak_of_work() throws Exception {
        ScriptedBackend silent = new ScriptedBackend(server.link());
        LockClient hasty = LockClient.over(silent, options.closeWithin(Duration.ofMillis(300)));
        try (LogLines log = LogLines.about("hasty")) {
            LeaderElection one = hasty.election("h", ElectionOptions.defaults().label("hasty"));
            assertThat(one.await(LONG)).isPresent();
            silent.onRelease = (claim, call) -> new CompletableFuture<>();
            one.close();
            LogQueue.flush(Duration.ofSeconds(1));
            assertThat(log.with("is closed, and the release of its candidate 'hasty' is not confirmed"))
                    .hasSize(1);
        } finally {
            hasty.closeNow();
        }
    }

    @Test
    void a_loss_that_a_close_finds_is_reported_once_though_the_executor_runs_on_the_spot() throws Exception {
        VirtualTime time = new VirtualTime();
        MemoryServer virtual = new MemoryServer(time);
        LockClient one = LockClient.over(
                virtual.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));
        LeaderElection led = one.election("v", quick());
        List<LeaderChange> changes = new ArrayList<>();
        led.onChange(Runnable::run, changes::add);
        led.join();
        assertThat(led.isLeader()).isTrue();
        time.pause(Duration.ofMinutes(5));
        led.close();
        assertThat(changes).hasSize(2);
        assertThat(time(one::closeNow)).isLessThan(LONG);
    }

    @Test
    void a_loss_that_a_resignation_finds_is_reported_once_though_the_executor_runs_on_the_spot() throws Exception {
        VirtualTime time = new VirtualTime();
        MemoryServer virtual = new MemoryServer(time);
        LockClient one = LockClient.over(
                virtual.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));
        LeaderElection led = one.election("v", quick());
        List<LeaderChange> changes = new ArrayList<>();
        led.onChange(Runnable::run, changes::add);
        led.join();
        time.pause(Duration.ofMinutes(5));
        assertThat(led.resign()).isFalse();
        assertThat(led.isLeader()).isTrue();
        assertThat(changes).hasSize(3);
        for (int i = 0; i < 1000; i++) {
            assertThat(led.resign()).isTrue();
            assertThat(led.isLeader()).isTrue();
        }
        led.close();
        assertThat(virtual.present("v")).isZero();
        one.closeNow();
    }

    @Test
    void a_listener_on_the_spot_may_close_its_client() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(Runnable::run, change -> {
            if (change instanceof LeaderChange.Ended) {
                took.complete(time(client::close));
            }
        });
        assertThat(election.await(LONG)).isPresent();
        THREADS.execute(election::resign);
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void a_listener_on_the_spot_may_close_its_client_at_the_begin() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        election.onChange(Runnable::run, change -> took.complete(time(client::close)));
        election.join();
        assertThat(took).succeedsWithin(Duration.ofSeconds(5));
        await().until(() -> server.present("a") == 0);
    }

    @Test
    void work_that_resigned_itself_is_interrupted_by_a_close() throws Exception {
        CountDownLatch resigned = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        election.run(term -> {
            election.resign();
            resigned.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        resigned.await();
        assertThat(time(election::close)).isLessThan(Duration.ofSeconds(5));
        assertThat(interrupted.getCount()).isZero();
    }

    @Test
    void join_run_resign_close_at_random_from_many_threads_end_with_a_free_lock() throws Exception {
        for (int round = 0; round < 60; round++) {
            LeaderElection one = client.election("r", ElectionOptions.defaults().pause(Duration.ofMillis(1)));
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            AtomicBoolean go = new AtomicBoolean(true);
            for (int t = 0; t < 4; t++) {
                int kind = t;
                Thread thread = new Thread(() -> {
                    while (go.get()) {
                        try {
                            switch (kind) {
                                case 0 -> one.resign();
                                case 1 -> one.await(Duration.ofMillis(1));
                                case 2 -> one.join();
                                default -> one.onChange(Runnable::run, c -> {}).close();
                            }
                        } catch (ClientClosedException e) {
                            return;
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                });
                thread.start();
                threads.add(thread);
            }
            one.run(term -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                try {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(3));
                    if (ThreadLocalRandom.current().nextInt(4) == 0) {
                        throw new IllegalStateException("at random");
                    }
                } finally {
                    running.decrementAndGet();
                }
            });
            Thread.sleep(ThreadLocalRandom.current().nextInt(40));
            assertThat(time(one::close)).isLessThan(Duration.ofSeconds(5));
            go.set(false);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(running).hasValue(0);
            assertThat(most.get()).isLessThan(2);
            await().until(() -> server.present("r") == 0);
        }
    }

    @Test
    void work_that_throws_errors_is_tried_again() throws Exception {
        AtomicInteger terms = new AtomicInteger();
        election.run(term -> {
            switch (terms.incrementAndGet()) {
                case 1 -> throw new StackOverflowError("of the test");
                case 2 -> throw new OutOfMemoryError("of the test");
                case 3 -> throw new ThreadDeath();
                default -> new CountDownLatch(1).await();
            }
        });
        await().until(() -> terms.get() == 4);
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void a_listener_hears_what_it_missed_after_its_executor_dropped_a_task() throws Exception {
        Queue<LeaderChange> changes = new ConcurrentLinkedQueue<>();
        AtomicInteger dropped = new AtomicInteger();
        election.onChange(
                task -> {
                    if (dropped.getAndIncrement() > 0) {
                        THREADS.execute(task);
                    }
                },
                changes::add);
        assertThat(election.await(LONG)).isPresent();
        election.resign();
        assertThat(election.await(LONG)).isPresent();
        await().until(() -> changes.size() == 3);
    }

    @Test
    void a_lock_of_another_holder_excludes_leaders_and_the_client_closes_at_once() throws Exception {
        try (Lease held = other.lock("a").acquire()) {
            election.join();
            assertThat(election.await(Duration.ofMillis(200))).isEmpty();
            assertThat(time(election::close)).isLessThan(Duration.ofSeconds(2));
            assertThat(held.fencingToken()).isPositive();
        }
    }

    @Test
    void two_candidates_of_a_fifo_client_lead_in_turn() throws Exception {
        LockClient fifo = LockClient.over(server.link(), options.ordering(Ordering.FIFO));
        try {
            LeaderElection x = fifo.election("o", quick());
            LeaderElection y = fifo.election("o", quick());
            assertThat(x.await(LONG)).isPresent();
            y.join();
            Thread.sleep(200);
            x.resign();
            assertThat(y.await(LONG)).isPresent();
        } finally {
            fifo.closeNow();
        }
    }

    @Test
    void close_in_the_work_from_a_thread_that_has_an_interrupt_keeps_it() throws Exception {
        election.run(term -> new CountDownLatch(1).await());
        await().until(election::isLeader);
        Thread.currentThread().interrupt();
        election.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.present("a")).isZero();
    }
}
