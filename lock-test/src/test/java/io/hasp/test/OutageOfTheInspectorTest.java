package io.hasp.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.LockInspector;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages for operators, such as those of a program that shows and breaks locks, meet the faults of the service, too. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutageOfTheInspectorTest {
    @Test
    void an_inspector_is_not_answered_in_an_outage() {
        try (TestLocks locks = TestLocks.create()) {
            OtherHold hold = locks.makeBusy("a");
            LockInspector inspector = locks.client().inspector();
            assertThat(inspector.lock("a")).isPresent();
            locks.makeUnavailable();
            assertThatThrownBy(() -> inspector.lock("a")).isInstanceOf(BackendException.class);
            assertThatThrownBy(() -> inspector.locks("").count()).isInstanceOf(BackendException.class);
            assertThatThrownBy(() -> inspector.breakLock("a", hold.fencingToken()))
                    .isInstanceOf(BackendException.class);
            locks.makeAvailable();
            assertThat(inspector.breakLock("a", hold.fencingToken())).isTrue();
        }
    }

    @Test
    void an_inspector_is_answered_late() {
        try (TestLocks locks = TestLocks.create()) {
            Duration delay = Duration.ofMillis(500);
            LockInspector inspector = locks.client().inspector();
            assertThat(inspector.lock("a")).isEmpty();
            locks.delay(delay);
            long begun = System.nanoTime();
            assertThat(inspector.lock("a")).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(delay);
        }
    }
}
