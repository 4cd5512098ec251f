package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.BackendFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The connection rules, and what a connection must do that reconnects by our own code. */
interface SilentServerRules extends ConnectionRules {

    /** A socket that is dead without having been closed looks like a silent channel. */
    @Test
    default void the_subscription_takes_another_socket_when_commands_get_no_answer() {
        try (TestClient client = new TestClient(source(server(), Duration.ofMillis(300)))) {
            String before = subscriber();
            server().pause();
            assertThatThrownBy(() -> client.acquire("a")).isInstanceOf(BackendFailure.class);
            server().resume();
            await().until(() -> !subscriber().isEmpty() && !subscriber().equals(before));
        } finally {
            server().resume();
        }
    }

    @Test
    default void closing_beside_a_server_that_stands_still_takes_no_time_and_keeps_an_interrupt() {
        TestClient client = open();
        client.granted("a");
        server().pause();
        try {
            Thread.currentThread().interrupt();
            long begun = System.nanoTime();
            client.close();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            assertThat(took).isLessThan(Duration.ofSeconds(2));
        } finally {
            Thread.interrupted();
            server().resume();
        }
    }

    private String subscriber() {
        return String.valueOf(server().command("CLIENT", "LIST", "TYPE", "pubsub"))
                .replaceAll("(?s) .*", "");
    }
}
