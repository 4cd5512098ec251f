package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock that a client keeps without a lease is not in use to that client: it gets the name as another kind. */
@Timeout(30)
class KeptAsAnotherKindTest {
    private static final ClientOptions KEEPING = ClientOptions.defaults().keep(Duration.ofSeconds(3));

    private final MemoryServer server = new MemoryServer(new RealClock());

    @Test
    void pe7_what_only_the_client_itself_keeps_is_given_back_for_another_kind() throws Exception {
        try (LockClient client = LockClient.over(server.link(), KEEPING)) {
            for (int i = 0; i < 50; i++) {
                String name = "a" + i;
                client.lock(name).acquire().close();
                assertThat(client.semaphore(name, 3).tryAcquire(1)).get().satisfies(Lease::close);
                assertThat(client.lock(name).tryAcquire()).get().satisfies(Lease::close);
                assertThat(client.readWriteLock(name).read().acquireAsync())
                        .succeedsWithin(Duration.ofSeconds(5))
                        .satisfies(Lease::close);
                assertThat(client.lock(name).acquireAsync())
                        .succeedsWithin(Duration.ofSeconds(5))
                        .satisfies(Lease::close);
                assertThat(client.readWriteLock(name).write().tryAcquire(Duration.ofMillis(100)))
                        .get()
                        .satisfies(Lease::close);
            }
        }
    }

    @Test
    void pe7_what_the_client_holds_is_still_another_kind() throws Exception {
        try (LockClient client = LockClient.over(server.link(), KEEPING);
                Lease held = client.lock("a").acquire()) {
            assertThatThrownBy(() -> client.semaphore("a", 3).tryAcquire(1)).isInstanceOf(BackendException.class);
            CompletableFuture<Lease> other = client.readWriteLock("a").read().acquireAsync();
            assertThat(other)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withCauseInstanceOf(BackendException.class);
            assertThat(held.remaining()).isPositive();
        }
    }
}
