package io.hasp.engine.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.HandTiming;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task that has begun is not handed over again, whatever the executor says of it. */
class LosslessExecutorTest {
    private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);

    private final HandTiming timing = new HandTiming();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    private void letTimePass() {
        for (long moment = 0; moment < TEN_SECONDS; moment += TEN_SECONDS / 1000) {
            timing.set(moment);
            timing.fire();
        }
    }

    /** As a pool does that has queued the task, and can't start a thread for it. */
    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE})
    void a_task_that_an_executor_ran_before_it_threw(int throwing) {
        LosslessExecutor executor = new LosslessExecutor(
                task -> {
                    task.run();
                    if (handedOver.incrementAndGet() <= throwing) {
                        throw new RejectedExecutionException("of the test");
                    }
                },
                timing);
        executor.execute(runs::incrementAndGet);
        letTimePass();
        executor.runRest(task -> handedOver.incrementAndGet());
        executor.end();
        assertThat(runs).hasValue(1);
        assertThat(handedOver).hasValue(1);
    }

    @Test
    void a_task_that_was_run_elsewhere_while_it_waited_for_its_next_try() {
        LosslessExecutor executor = new LosslessExecutor(
                task -> {
                    handedOver.incrementAndGet();
                    throw new RejectedExecutionException("of the test");
                },
                timing);
        executor.execute(runs::incrementAndGet);
        executor.runRest(Runnable::run);
        letTimePass();
        assertThat(runs).hasValue(1);
        assertThat(handedOver.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void a_task_that_a_pool_of_the_client_has_no_thread_for_ends_the_client_and_is_run_by_its_ending() {
        FailStop failStop = new FailStop("c", true);
        Error noThread = new OutOfMemoryError("of the test");
        LosslessExecutor executor = LosslessExecutor.own(
                task -> {
                    throw noThread;
                },
                timing,
                failStop::fail,
                failStop::run);
        List<String> order = new ArrayList<>();
        failStop.endBy(() -> order.add("ending"));
        executor.execute(() -> order.add("task"));
        executor.execute(() -> order.add("later task"));
        assertThat(failStop.cause()).isSameAs(noThread);
        assertThat(order).containsExactly("ending", "task", "later task");
    }
}
