package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void a_thread_that_ends_takes_nothing_from_the_sum() throws InterruptedException {
        ProcessorTime time = new ProcessorTime();
        long pid = ProcessHandle.current().pid();
        CountDownLatch worked = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            work();
            worked.countDown();
            try {
                seen.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        worker.start();
        worked.await();
        long before = time.nanos(pid);
        seen.countDown();
        worker.join();

        assertThat(time.nanos(pid)).isGreaterThanOrEqualTo(before);
    }

    private static void work() {
        long end = System.nanoTime() + 300_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
