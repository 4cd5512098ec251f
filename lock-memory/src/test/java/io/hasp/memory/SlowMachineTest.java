package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.spi.Timing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A machine that is so busy that a thread stands still between any two looks at the clock. */
class SlowMachineTest {

    /** Each look is a minute after the one before. */
    private static final class Leaping implements Timing {
        private long now;

        @Override
        public synchronized long nanoTime() {
            now += Duration.ofMinutes(1).toNanos();
            return now;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    @Test
    void a_client_that_was_held_up_inside_the_server_is_answered() {
        try (LockClient client = LockClient.over(new MemoryServer(new Leaping()).link(), ClientOptions.defaults())) {
            assertThat(client.lock("a").tryAcquire()).isPresent();
        }
    }
}
