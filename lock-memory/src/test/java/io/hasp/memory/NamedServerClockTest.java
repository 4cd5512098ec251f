package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is named by a URI outlives its clients, so it does not use the clock of one of them. */
@Timeout(30)
class NamedServerClockTest {
    private static final String URI = "memory://named-server-clock";

    @Test
    void a_lock_is_free_after_its_time_although_the_first_client_was_on_virtual_time() {
        ClientOptions virtual =
                ClientOptions.defaults().timing(new VirtualTime()).executor(Runnable::run);
        try (LockClient first = LockClient.connect(URI, virtual)) {
            first.lock("a").tryAcquire().orElseThrow().close();
        }
        try (LockClient second = LockClient.connect(URI)) {
            Duration least = Duration.ofMillis(200);
            second.lock("a", LockOptions.defaults().takenAtLeast(least).renewedLease(least))
                    .tryAcquire()
                    .orElseThrow()
                    .close();
            assertThat(second.lock("a").tryAcquire()).isEmpty();
            await().until(() -> {
                Optional<Lease> lease = second.lock("a").tryAcquire();
                lease.ifPresent(Lease::close);
                return lease.isPresent();
            });
        }
    }
}
