package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tasks of one lease run on several threads, in any order: here in those that a test chooses. */
class InterruptOnLossTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<Runnable> tasks = new ArrayList<>();
    private final AtomicReference<@Nullable LeaseLostException> loss = new AtomicReference<>();

    @AfterEach
    void noInterruptIsLeft() {
        assertThat(Thread.interrupted()).as("an interrupt after the calls").isFalse();
    }

    private Runnable watch(Runnable task) {
        tasks.add(task);
        return () -> {};
    }

    private String loseAndSleep(int first) throws InterruptedException {
        loss.set(new LeaseLostException("lost", "a", 1));
        tasks.get(first).run();
        Thread.sleep(LONG.toMillis());
        return "not reached";
    }

    @Test
    void a_nested_call_fails_with_the_loss_and_the_outer_one_is_stopped_whichever_is_interrupted_first() {
        for (int first : new int[] {0, 1}) {
            tasks.clear();
            loss.set(null);
            List<Throwable> seen = new ArrayList<>();

            assertThatThrownBy(() -> InterruptOnLoss.during(this::watch, loss::get, () -> {
                        seen.add(catchThrowable(
                                () -> InterruptOnLoss.during(this::watch, loss::get, () -> loseAndSleep(first))));
                        tasks.get(1 - first).run();
                        seen.add(catchThrowable(() -> Thread.sleep(LONG.toMillis())));
                        throw new IllegalStateException("stopped");
                    }))
                    .as("task " + first + " first")
                    .isInstanceOf(LeaseLostException.class);
            assertThat(seen.get(0)).isInstanceOf(LeaseLostException.class);
            assertThat(seen.get(1)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void the_loss_of_another_lease_is_no_loss_of_the_inner_one_and_outlives_its_call() {
        List<Throwable> seen = new ArrayList<>();

        assertThatThrownBy(() -> InterruptOnLoss.during(this::watch, loss::get, () -> {
                    seen.add(catchThrowable(
                            () -> InterruptOnLoss.during(this::watch, () -> null, () -> loseAndSleep(0))));
                    Thread.sleep(LONG.toMillis());
                    return "not reached";
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(seen.get(0)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void an_interrupt_that_the_outer_call_has_seen_does_not_come_again_after_an_inner_one() throws Exception {
        String result = InterruptOnLoss.during(this::watch, loss::get, () -> {
            assertThat(catchThrowable(() -> loseAndSleep(0))).isInstanceOf(InterruptedException.class);
            return InterruptOnLoss.during(this::watch, () -> null, () -> "inner");
        });

        assertThat(result).isEqualTo("inner");
    }
}
