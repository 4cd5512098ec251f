package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.spi.LogQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A bounded number of events waits for a listener that blocks. */
@Timeout(60)
class SlowListenerTest {
    private static final int CYCLES = 15_000;

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    private final class Slow implements LockListener {
        @Override
        public void onEvent(LockEvent event) {
            received.incrementAndGet();
            try {
                blocked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onDropped(long count) {
            dropped.addAndGet(count);
        }
    }

    @Test
    void events_beyond_the_bound_are_dropped_and_counted() {
        List<String> lines = new CopyOnWriteArrayList<>();
        LogQueue.observe((level, line, thrown) -> lines.add(line));
        try (LockClient client = LockClient.over(
                new MemoryServer(new RealClock()).link(),
                ClientOptions.defaults().addListener(new Slow()))) {
            for (int i = 0; i < CYCLES; i++) {
                client.lock("a").tryAcquire().orElseThrow().release();
            }
            assertThat(lines)
                    .filteredOn(line -> line.contains(Slow.class + " is too slow: 10000 events wait for it"))
                    .hasSize(1);
            blocked.countDown();
            await().until(() -> received.get() + dropped.get() == 2 * CYCLES);
            assertThat(received).hasValueBetween(10_000, 10_002);
            assertThat(lines)
                    .filteredOn(line ->
                            line.contains(Slow.class + " was too slow: " + dropped.get() + " events were dropped"))
                    .hasSize(1);
            client.lock("a").tryAcquire().orElseThrow().release();
            await().until(() -> received.get() + dropped.get() == 2 * CYCLES + 2);
        } finally {
            LogQueue.observe((level, line, thrown) -> {});
        }
    }
}
