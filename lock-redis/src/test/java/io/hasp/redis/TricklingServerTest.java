package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of which each byte comes in time, and the reply does not. */
@InTier(Tier.STANDARD)
class TricklingServerTest {
    private static final Duration TIMEOUT = Duration.ofMillis(1500);

    @ParameterizedTest
    @EnumSource(Through.class)
    void the_command_timeout_is_that_of_the_whole_reply(Through library) throws IOException {
        try (RedisServer server = RedisServer.start();
                TricklingProxy proxy = new TricklingProxy(server.port());
                TestClient client = new TestClient(library.source(proxy.port(), TIMEOUT))) {
            client.granted("a");
            proxy.trickle(TIMEOUT.dividedBy(4));
            long begun = System.nanoTime();
            assertThatExceptionOfType(BackendFailure.class)
                    .isThrownBy(() -> client.tryAcquire("b"))
                    .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN))
                    .withMessageContaining("did not answer");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(TIMEOUT, TIMEOUT.multipliedBy(3));

            proxy.trickle(Duration.ZERO);
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.release("a") != null);
        }
    }
}
