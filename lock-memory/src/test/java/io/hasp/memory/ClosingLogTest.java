package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two lines of a client that closes while work runs under its locks. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingLogTest {
    private static final String WAITS = "INFO the lock client closes, and waits for work under its locks: ";
    private static final String GOES_ON = "WARNING the lock client is closed, and work under its locks goes on: ";
    private static final Executor THREADS = task -> new Thread(task, "taker").start();

    private final MemoryServer server = new MemoryServer(new RealClock());
    private static final AtomicInteger TESTS = new AtomicInteger();

    /** The beginning of the names of these locks; what an earlier test left may still be logged. */
    private final String own = "closing-" + TESTS.incrementAndGet() + "-";

    private final LogLines log = LogLines.about(own);

    @AfterEach
    void stop() {
        log.close();
    }

    private LockClient client(Duration closeWithin) {
        return LockClient.over(server.link(), ClientOptions.defaults().closeWithin(closeWithin));
    }

    private List<Lease> taken(LockClient client, int locks) {
        return CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, locks)
                                .mapToObj(i -> client.lock(own + i).tryAcquire().orElseThrow())
                                .toList(),
                        THREADS)
                .join();
    }

    private List<String> beginningWith(String text) {
        return log.all().stream().filter(line -> line.startsWith(text)).toList();
    }

    private static int count(String text, String part) {
        return text.split(part, -1).length - 1;
    }

    @Test
    void ap10_each_line_comes_once_and_names_ten_locks_with_the_thread_and_the_place() {
        LockClient client = client(Duration.ofSeconds(2));
        List<Lease> leases = taken(client, 12);
        client.close();
        for (String line : List.of(WAITS, GOES_ON)) {
            assertThat(beginningWith(line)).singleElement().satisfies(text -> {
                assertThat(count(text, "the lease of lock '" + own)).isEqualTo(10);
                assertThat(count(text, "by thread 'taker' at ")).isEqualTo(10);
                assertThat(text).endsWith("; and 2 more");
            });
        }
        assertThat(beginningWith(GOES_ON).get(0))
                .contains("not given back before the work, the lease or the session ends");
        leases.forEach(Lease::close);
    }

    @Test
    void ap10_work_in_a_call_is_named_with_the_place_of_the_call() throws Exception {
        LockClient client = client(Duration.ofMillis(1_500));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CompletableFuture<Boolean> work = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                work.complete(client.lock(own + "a").call(lease -> {
                    begun.countDown();
                    return ends.await(20, TimeUnit.SECONDS);
                }));
            } catch (InterruptedException e) {
                work.completeExceptionally(e);
            }
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(beginningWith(WAITS))
                .singleElement()
                .asString()
                .contains("the lease of lock '" + own + "a'")
                .contains("by thread 'taker' at io.hasp.memory.ClosingLogTest.")
                .doesNotContain(" more");
        ends.countDown();
        assertThat(work).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
    }

    /** The process may end as soon as close() returns. */
    @Test
    void ap10_the_line_about_what_is_left_is_written_when_close_returns() {
        LockClient client = client(Duration.ZERO);
        List<Lease> leases = taken(client, 1);
        List<String> written = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.hasp");
        logger.setFilter(line -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            written.add(line.getLevel() + " " + line.getMessage());
            return true;
        });
        try {
            client.close();
            assertThat(List.copyOf(written)).anyMatch(line -> line.startsWith(GOES_ON) && line.contains(own));
        } finally {
            logger.setFilter(null);
        }
        leases.forEach(Lease::close);
    }

    @Test
    void ap10_a_close_that_waits_for_nothing_logs_nothing() {
        LockClient client = client(Duration.ofSeconds(2));
        taken(client, 1).forEach(Lease::close);
        client.close();
        assertThat(log.all()).isEmpty();
    }
}
