package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LateAnswerTest {
    @Test
    void a_test_that_did_not_end_in_time_is_no_counter_example() {
        assertThat(LateAnswer.isReasonOf(new LateAnswer("no answer", new IllegalStateException())))
                .isTrue();
        assertThat(LateAnswer.isReasonOf(broken(new TimeoutException()))).isTrue();

        assertThat(LateAnswer.isReasonOf(broken(new AssertionError("two held it"))))
                .isFalse();
        assertThat(LateAnswer.isReasonOf(broken(new AssertionError("two held it", new TimeoutException()))))
                .as("after the counter-example")
                .isFalse();
    }

    private static BrokenRule broken(Throwable reason) {
        return new BrokenRule(reason, "lock", "ConformanceTest", "me1_a");
    }
}
