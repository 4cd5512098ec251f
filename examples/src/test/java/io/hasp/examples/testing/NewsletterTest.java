package io.hasp.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.test.HaspTest;
import io.hasp.test.TestLocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A service that skips its work while another instance does it. Quoted in docs/testing-your-code.md. */
@HaspTest
class NewsletterTest {
    private int sent;

    /** The code under test. */
    private boolean sendUnlessBusy(LockClient locks) {
        LockOptions options = LockOptions.defaults().fixedLease(Duration.ofMinutes(10));
        return locks.lock("newsletter", options).tryRun(lease -> sent++);
    }

    @Test
    void is_sent_by_one_instance(TestLocks locks) {
        assertThat(sendUnlessBusy(locks.client())).isTrue();
        assertThat(sent).isEqualTo(1);
        assertThat(locks.locked()).singleElement().satisfies(lock -> {
            assertThat(lock.name()).isEqualTo("newsletter");
            assertThat(lock.renewed()).isFalse();
            assertThat(lock.lease()).isEqualTo(Duration.ofMinutes(10));
        });
    }

    @Test
    void is_skipped_while_another_instance_sends_it(TestLocks locks) {
        locks.makeBusy("newsletter");
        assertThat(sendUnlessBusy(locks.client())).isFalse();
        assertThat(sent).isZero();
    }

    @Test
    void is_not_skipped_silently_in_an_outage(TestLocks locks) {
        locks.makeUnavailable();
        assertThatThrownBy(() -> sendUnlessBusy(locks.client())).isInstanceOf(BackendException.class);
        assertThat(sent).isZero();
    }
}
