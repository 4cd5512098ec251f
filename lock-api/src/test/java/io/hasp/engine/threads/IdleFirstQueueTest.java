package io.hasp.engine.threads;

import io.hasp.engine.races.Race;
import io.hasp.engine.races.Races;
import io.hasp.spi.ClientThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task gets a thread at once until the pool has all its threads, also while threads end that were idle. Lincheck can't look into pools. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
public class IdleFirstQueueTest {
    /** About as long as the time between two rounds, so that some threads are about to end when tasks come. */
    private static final Duration IDLE = Duration.ofNanos(20_000);

    /** True once a task has waited too long. The rounds left then do not wait. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    /** Two for the tasks, one for the interrupt, and one that is just ending: the pool never has all its threads. */
    private static final int MOST = 6;

    private final ThreadPoolExecutor pool = IdleFirstQueue.pool(MOST, ClientThreads.named("hasp-of-the-test"), IDLE);

    @AfterEach
    void end() {
        pool.shutdown();
    }

    @Test
    void task_never_waits_for_another_while_idle_threads_end() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        Races.onRealThreads(() -> new Meeting(rounds.getAndIncrement()));
    }

    /** Two tasks, each of which ends when the other one runs. */
    private final class Meeting extends Race {
        private final CountDownLatch met = new CountDownLatch(2);

        Meeting(int round) {
            add(() -> {
                if (round % 4 == 0) {
                    pool.execute(() -> Thread.currentThread().interrupt());
                }
                meet();
            });
            add(this::meet);
        }

        /** The tasks run at the same time, or the first one keeps its thread until the time is over. */
        private void meet() {
            CountDownLatch together = new CountDownLatch(1);
            pool.execute(() -> {
                met.countDown();
                if (ends(met)) {
                    together.countDown();
                }
            });
            if (waiting.get()) {
                return;
            }
            waiting.set(!ends(together));
            require(
                    !waiting.get(),
                    "a task waits for another one, and the pool has " + pool.getPoolSize() + " threads");
        }

        @Override
        public void check() {}
    }

    private static boolean ends(CountDownLatch latch) {
        try {
            return latch.await(4, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }
}
