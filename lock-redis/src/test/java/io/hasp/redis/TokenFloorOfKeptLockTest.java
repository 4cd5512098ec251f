package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that wait while a floor is not raised, because a client may keep the lock. */
class TokenFloorOfKeptLockTest {
    private final LinkedBlockingQueue<Runnable> timers = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();

    /** Nothing happens before the test says so. */
    private final class ByHand implements Timing {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }
    }

    /** A silent server would stop the timer of all leases of the client for a command timeout. */
    @ParameterizedTest
    @EnumSource(Through.class)
    void the_timer_s_thread_does_not_wait_for_the_server(Through library) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            BackendSource source = library.source(server, Duration.ofSeconds(5));
            try (TestClient keeper = new TestClient(source);
                    TestClient other = new TestClient(source, new ByHand(), requests::add)) {
                assertThat(keeper.acquire(
                                TestClient.claim("a", TestClient.LEASE, true).withKeeps(true)))
                        .isInstanceOf(Attempt.Granted.class);
                CompletionStage<Void> raised =
                        other.backend.tokenFloor().orElseThrow().raise(TestClient.NAME, 1L << 52);
                await().until(() -> !timers.isEmpty());
                keeper.release("a");

                timers.remove().run();

                assertThat(requests).as("questions handed over").hasSize(1);
                assertThat(raised.toCompletableFuture()).isNotDone();
                requests.remove().run();
                TestClient.answer(raised);
            }
        }
    }
}
