package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Without memory the only thread of a pool dies, and no other one can be started: its tasks run all the same. */
class DaemonThreadsTest {
    @Test
    void tasks_of_a_thread_that_died_are_run_by_the_next_one_that_can_be_started() throws Exception {
        AtomicInteger started = new AtomicInteger();
        ThreadFactory threads = worker -> {
            int number = started.incrementAndGet();
            if (number == 2 || number == 3) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(worker);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((dead, of) -> {});
            return thread;
        };
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        DaemonThreads.replaceInTime(pool);
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        pool.execute(() -> {
            try {
                queued.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new OutOfMemoryError("of the test");
        });
        pool.execute(ran::countDown);

        queued.countDown();

        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        pool.shutdown();
    }
}
