package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LogQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log handler that blocks or throws costs no lease, and no call its result. */
class BlockingLogTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final Logger logger = Logger.getLogger("io.hasp");
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch unblocked = new CountDownLatch(1);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final MemoryServer server = new MemoryServer(new RealClock());
    private final ClientOptions options = ClientOptions.defaults().renewedLease(LEASE);
    private Runnable whenLogged = this::block;

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getMessage());
            whenLogged.run();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private void block() {
        blocked.countDown();
        try {
            unblocked.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @BeforeEach
    void listen() {
        LogQueue.flush(Duration.ofSeconds(10));
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void silent() {
        unblocked.countDown();
        LogQueue.flush(Duration.ofSeconds(10));
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void leases_of_a_healthy_server_stay_held_while_the_line_of_a_lost_one_blocks() throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        LockListener counting = event -> renewals.addAndGet(event instanceof LockEvent.Renewed ? 1 : 0);
        try (LockClient client = LockClient.over(server.link(), options.addListener(counting))) {
            List<Lease> healthy = IntStream.range(0, 20)
                    .mapToObj(i -> client.lock("healthy-" + i).tryAcquire().orElseThrow())
                    .toList();
            Lease lost = client.lock("lost").tryAcquire().orElseThrow();
            server.expire("lost");
            assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
            int before = renewals.get();
            Awaitility.await().until(() -> renewals.get() >= before + 3 * healthy.size());
            assertThat(healthy).allSatisfy(lease -> assertThat(lease.state()).isEqualTo(LeaseState.HELD));
            assertThat(lost.state()).isEqualTo(LeaseState.LOST);
        }
    }

    @Test
    void a_caller_that_finds_the_loss_does_not_wait_for_the_logger() throws Exception {
        VirtualTime time = new VirtualTime();
        MemoryLink link = new MemoryServer(time).link();
        try (LockClient client =
                LockClient.over(link, ClientOptions.defaults().timing(time).executor(Runnable::run))) {
            Lease lease = client.lock("a").tryAcquire().orElseThrow();
            link.partition();
            assertThat(CompletableFuture.supplyAsync(() -> {
                        time.advance(Duration.ofMinutes(1));
                        return lease.state();
                    }))
                    .succeedsWithin(Duration.ofSeconds(5))
                    .isEqualTo(LeaseState.LOST);
            link.heal();
            time.advance(Duration.ofSeconds(10));
        }
    }

    @Test
    void lines_beyond_the_bound_are_dropped_and_counted() throws Exception {
        LogQueue.log(System.Logger.Level.INFO, "first");
        assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 1_100; i++) {
            LogQueue.log(System.Logger.Level.INFO, "line " + i);
        }
        unblocked.countDown();
        LogQueue.flush(Duration.ofSeconds(10));
        assertThat(lines)
                .contains("100 lines of the lock clients were dropped, because the logger was too slow")
                .contains("line 999")
                .doesNotContain("line 1000");
    }

    @Test
    void a_handler_that_throws_changes_no_result() throws Exception {
        whenLogged = () -> {
            blocked.countDown();
            throw new IllegalStateException("the log is broken");
        };
        ScriptedBackend backend = new ScriptedBackend(server.link());
        try (LockClient client = LockClient.over(backend, options)) {
            backend.onRelease = (claim, call) -> call.get()
                    .thenCompose(done -> CompletableFuture.failedFuture(new BackendFailure(
                            BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no answer", null)));
            assertThat(client.lock("a").<String, RuntimeException>call(lease -> "done"))
                    .isEqualTo("done");
            client.lock("b").tryAcquire().orElseThrow().close();
            assertThat(client.lock("c").callAsync(lease -> CompletableFuture.completedFuture("done")))
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isEqualTo("done");
            backend.onRelease = (claim, call) -> call.get();
        }
        assertThat(blocked.getCount()).isZero();
    }
}
