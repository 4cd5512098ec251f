package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.spi.Timing;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A machine so busy that a thread pauses between any two readings of the clock. */
class SlowMachineTest {

    /** Each reading is a minute later than the one before. */
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
