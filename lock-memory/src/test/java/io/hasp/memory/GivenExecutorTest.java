package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever executor and listener a program gives: renewals, the end of leases and interrupts do not wait for its code. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@InTier(Tier.STANDARD)
class GivenExecutorTest {
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final int LEASES = 20;

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final MemoryServer server = new MemoryServer(new RealClock());

    @AfterEach
    void unblock() {
        blocked.countDown();
    }

    private void block() {
        boolean interrupted = false;
        while (true) {
            try {
                blocked.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    enum Given {
        ON_THE_SPOT,
        ONE_THREAD,
        FULL_SO_THE_CALLER_RUNS,
        EXECUTE_BLOCKS,
        REJECTS_THEN_BLOCKS,
        DROPS,
        THROWS
    }

    private Executor executor(Given given) {
        return switch (given) {
            case ON_THE_SPOT -> Runnable::run;
            case ONE_THREAD -> {
                Executor one = Executors.newSingleThreadExecutor(GivenExecutorTest::daemon);
                one.execute(this::block);
                yield one;
            }
            case FULL_SO_THE_CALLER_RUNS -> {
                Executor full = new ThreadPoolExecutor(
                        1,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(1),
                        GivenExecutorTest::daemon,
                        new ThreadPoolExecutor.CallerRunsPolicy());
                full.execute(this::block);
                full.execute(this::block);
                yield full;
            }
            case EXECUTE_BLOCKS -> task -> block();
            case REJECTS_THEN_BLOCKS -> {
                Set<Runnable> rejected = ConcurrentHashMap.newKeySet();
                yield task -> {
                    if (rejected.add(task) && rejected.size() <= LEASES) {
                        throw new RejectedExecutionException("of the test");
                    }
                    block();
                };
            }
            case DROPS -> task -> {};
            case THROWS ->
                task -> {
                    throw new IllegalStateException("of the test");
                };
        };
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Held and confirmed, past the end of the lease that was there. */
    private static void stayHeld(List<Lease> leases) {
        long begun = System.nanoTime();
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            assertThat(leases).extracting(Lease::state).doesNotContain(LeaseState.LOST);
            return System.nanoTime() - begun > 3 * LEASE.toNanos();
        });
    }

    private static List<Lease> leases(LockClient client) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            leases.add(client.lock("held-" + i).tryAcquire().orElseThrow());
        }
        return leases;
    }

    @ParameterizedTest
    @MethodSource("given")
    void le2_an_executor_and_an_observer_that_block_delay_no_renewal_and_no_interrupt(Given given) throws Exception {
        ClientOptions options = ClientOptions.defaults()
                .renewedLease(LEASE)
                .executor(executor(given))
                .addListener(event -> {
                    if (event instanceof LockEvent.Lost) {
                        block();
                    }
                });
        LockClient client = LockClient.over(server.link(), options);
        List<Lease> leases = leases(client);
        for (int i = 0; i < 5; i++) {
            client.lock("observed-" + i).tryAcquire().orElseThrow().onChange(Runnable::run, state -> block());
            server.expire("observed-" + i);
        }
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread worker = new Thread(() -> {
            try {
                client.lock("interrupted", LockOptions.defaults().onLoss(OnLoss.INTERRUPT))
                        .call(lease -> {
                            server.expire("interrupted");
                            return new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                        });
                interrupted.complete(false);
            } catch (InterruptedException | LeaseLostException e) {
                interrupted.complete(true);
            }
        });
        worker.start();
        stayHeld(leases);
        assertThat(interrupted).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
        blocked.countDown();
        worker.join(5_000);
        client.closeNow();
    }

    static Stream<Given> given() {
        return Stream.of(Given.values());
    }

    /** Also tasks that were refused, for which the timer tries again; and executors of observers. */
    @Test
    void le2_no_timer_renewal_or_interrupt_calls_an_executor_of_the_program() throws Exception {
        Set<String> callers = ConcurrentHashMap.newKeySet();
        AtomicInteger tasks = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool(GivenExecutorTest::daemon);
        Executor noting = task -> {
            callers.add(Thread.currentThread().getName());
            threads.execute(task);
        };
        Executor rejecting = task -> {
            if (tasks.incrementAndGet() % 2 == 0) {
                callers.add(Thread.currentThread().getName());
                throw new RejectedExecutionException("of the test");
            }
            noting.execute(task);
        };
        try (LockClient client = LockClient.over(
                server.link(),
                ClientOptions.defaults()
                        .renewedLease(LEASE)
                        .onLoss(OnLoss.INTERRUPT)
                        .executor(rejecting)
                        .addListener(event -> {}))) {
            CompletableFuture<LeaseState> lost = new CompletableFuture<>();
            CompletableFuture<String> cut = client.lock(
                            "cut", LockOptions.defaults().maxHold(LEASE.dividedBy(3)))
                    .callAsync(lease -> {
                        lease.onChange(noting, lost::complete);
                        return new CompletableFuture<>();
                    });
            List<Lease> leases = leases(client);
            CompletableFuture<?> waiting = client.lock("held-1").tryAcquireAsync(Duration.ofMillis(50));
            assertThat(cut).failsWithin(Duration.ofSeconds(10));
            assertThat(waiting).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(Optional.empty());
            await().until(lost::isDone);
            leases.forEach(Lease::close);
        } finally {
            threads.shutdown();
        }
        assertThat(callers)
                .anyMatch(name -> name.startsWith("hasp-hand-over-"))
                .noneMatch(name -> name.matches("hasp-(timer|renewal|interrupt|effect|background|log)-.*"));
    }

    @Test
    void a_listener_that_can_not_say_whether_it_blocks_makes_no_client_and_leaves_no_backend() {
        ScriptedBackend backend = new ScriptedBackend(server.link());
        LockListener broken = new LockListener() {
            @Override
            public void onEvent(LockEvent event) {}

            @Override
            public boolean isNonBlocking() {
                throw new IllegalStateException("of the test");
            }
        };
        assertThatThrownBy(
                        () -> LockClient.over(backend, ClientOptions.defaults().addListener(broken)))
                .hasMessage("of the test");
        assertThat(backend.closed).isTrue();
    }

    /** A release that the server has not answered is owed by the client, and no caller waits for it. */
    @ParameterizedTest
    @MethodSource("given")
    void le2_an_executor_that_blocks_or_drops_leaves_nothing_held(Given given) throws Exception {
        MemoryLink link = server.link();
        try (LockClient client = LockClient.over(link, ClientOptions.defaults().executor(executor(given)));
                LockClient other = LockClient.over(server.link(), ClientOptions.defaults())) {
            Lease owed = client.lock("owed").tryAcquire().orElseThrow();
            link.partition();
            owed.close();
            link.heal();
            assertThat(other.lock("owed").tryAcquire(Duration.ofSeconds(10)))
                    .as("well before its lease ends, after 30 s")
                    .get()
                    .satisfies(Lease::close);
            // The caller of an asynchronous call hands its request over itself, and is blocked where the executor
            // blocks.
            if (given != Given.EXECUTE_BLOCKS && given != Given.REJECTS_THEN_BLOCKS) {
                CompletableFuture<Lease> unserved = client.lock("async").acquireAsync();
                client.closeNow();
                await("completed by the end of the client at the latest").until(unserved::isDone);
            }
            assertThat(other.lock("async").tryAcquire(Duration.ofSeconds(10)))
                    .get()
                    .satisfies(Lease::close);
        }
        assertThat(server.size()).isZero();
    }

    @Test
    void le2_a_listener_that_blocks_although_it_says_that_it_does_not_delays_no_other_renewal() {
        AtomicInteger blocking = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void onEvent(LockEvent event) {
                if (event instanceof LockEvent.Renewed) {
                    blocking.incrementAndGet();
                    block();
                }
            }

            @Override
            public boolean isNonBlocking() {
                return true;
            }
        };
        LockClient client = LockClient.over(
                server.link(), ClientOptions.defaults().renewedLease(LEASE).addListener(listener));
        List<Lease> leases = leases(client);
        stayHeld(leases);
        assertThat(blocking).hasPositiveValue();
        blocked.countDown();
        client.closeNow();
    }
}
