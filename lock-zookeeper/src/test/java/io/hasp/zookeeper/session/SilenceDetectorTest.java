package io.hasp.zookeeper.session;

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

    private static final Duration PATIENCE = SilenceDetector.patience(TIMEOUT).orElseThrow();

    /** Runs the latest task when its time has come. */
    private static final class OneTimer implements Timing {
        private Runnable task = () -> {};
        private long now;
        private long due;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Timer schedule(Duration delay, Runnable next) {
            task = next;
            due = now + delay.toNanos();
            return () -> task = () -> {};
        }

        void pass(Duration time) {
            now += time.toNanos();
            if (now >= due) {
                Runnable run = task;
                task = () -> {};
                run.run();
            }
        }
    }

    private final OneTimer timer = new OneTimer();
    private int left;
    private final SilenceDetector detector = new SilenceDetector(timer, () -> left++);

    private CompletableFuture<Void> watch() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        detector.watch(TIMEOUT, over);
        return over;
    }

    @Test
    void a_request_without_an_answer_ends_the_connection() {
        watch();

        timer.pass(PATIENCE.minusNanos(1));
        assertThat(left).isZero();
        timer.pass(Duration.ofNanos(1));

        assertThat(left).isEqualTo(1);
    }

    @Test
    void the_last_answer_in_time_keeps_the_connection() {
        watch().complete(null);

        timer.pass(PATIENCE);

        assertThat(left).isZero();
    }

    @Test
    void answers_to_other_requests_keep_the_connection_until_they_end() {
        watch();
        timer.pass(PATIENCE.dividedBy(2));
        detector.answered(timer.now);

        timer.pass(PATIENCE.dividedBy(2));
        assertThat(left).isZero();
        timer.pass(PATIENCE.dividedBy(2));

        assertThat(left).isEqualTo(1);
    }

    @Test
    void the_next_connection_is_kept_until_it_has_answered_once() {
        CompletableFuture<Void> first = watch();
        timer.pass(PATIENCE);
        first.complete(null);

        watch();
        timer.pass(PATIENCE);
        assertThat(left).isEqualTo(1);
        detector.answered(timer.now);
        watch();
        timer.pass(PATIENCE);

        assertThat(left).isEqualTo(2);
    }

    /** A third of the timeout, less the time of a reconnection, between an eighth and a fifth of the timeout. */
    @ParameterizedTest
    @CsvSource({"6000, 750", "9000, 1125", "12000, 2000", "15000, 3000", "60000, 12000"})
    void it_waits_for_as_long_as_a_reconnection_leaves(long timeout, long patience) {
        assertThat(SilenceDetector.patience(Duration.ofMillis(timeout))).contains(Duration.ofMillis(patience));
    }

    @Test
    void a_short_session_keeps_its_connection() {
        detector.watch(TIMEOUT.minusMillis(100), new CompletableFuture<>());

        timer.pass(TIMEOUT);

        assertThat(left).isZero();
    }
}
