package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conditions under which a session leaves its connection. */
class SilenceDetectorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    /** Runs one task when the test says so. */
    private static final class OneTimer implements Timing {
        private Runnable task = () -> {};

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable next) {
            task = next;
            return () -> task = () -> {};
        }
    }

    private final OneTimer timer = new OneTimer();
    private int left;
    private final SilenceDetector detector = new SilenceDetector(timer, () -> left++);

    private CompletableFuture<Boolean> watch() {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        detector.watch(TIMEOUT, answered);
        return answered;
    }

    @Test
    void a_request_without_an_answer_ends_the_connection() {
        watch();

        timer.task.run();

        assertThat(left).isEqualTo(1);
    }

    @Test
    void an_answer_in_time_keeps_the_connection() {
        watch().complete(true);

        timer.task.run();

        assertThat(left).isZero();
    }

    @Test
    void the_next_connection_is_kept_until_it_has_answered_once() {
        CompletableFuture<Boolean> first = watch();
        timer.task.run();
        first.complete(false);

        CompletableFuture<Boolean> second = watch();
        timer.task.run();
        assertThat(left).isEqualTo(1);
        second.complete(true);
        watch();
        timer.task.run();

        assertThat(left).isEqualTo(2);
    }

    /** A third of the timeout, less the time of a reconnection, and a quarter of the timeout at most. */
    @ParameterizedTest
    @CsvSource({"6000, 750", "9000, 1750", "15000, 3750", "60000, 15000"})
    void it_waits_for_as_long_as_a_reconnection_leaves(long timeout, long patience) {
        assertThat(SilenceDetector.patience(Duration.ofMillis(timeout))).contains(Duration.ofMillis(patience));
    }

    @Test
    void a_short_session_keeps_its_connection() {
        detector.watch(TIMEOUT.minusMillis(100), new CompletableFuture<>());

        timer.task.run();

        assertThat(left).isZero();
    }
}
