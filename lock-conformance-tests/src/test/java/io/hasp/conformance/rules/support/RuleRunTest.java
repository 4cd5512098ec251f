package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.FileLocks;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

class RuleRunTest {
    @TempDir
    private Path folder;

    @Test
    void a_lock_that_got_lost_while_the_machine_stood_still_shows_nothing() throws Exception {
        assertThatThrownBy(() -> lose(Timings.lease()))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("the machine stood still for PT1.5S");
    }

    @Test
    void a_lock_that_got_lost_on_a_punctual_machine_breaks_the_rule() throws Exception {
        assertThatThrownBy(() -> lose(Timings.lease().dividedBy(3)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("another client must be refused");
    }

    private void lose(Duration late) throws Exception {
        try (RuleRun run = RuleRun.about(new FileLocks().subject(folder.toString()), Claimed.RENEWAL)) {
            LockUser second = run.user();
            Hold hold = run.take(run.user());
            hold.release();
            run.assertHeldFor(Timings.lease(), hold, second, () -> late);
        }
    }
}
