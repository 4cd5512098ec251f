package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.jedis.FaultySocket.Steps;
import io.hasp.redis.script.LuaScript;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls on a connection that ends. */
class PipelinedConnectionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ScriptCall CALL = new ScriptCall(LuaScript.of("return ARGV[1]"), List.of(), List.of("text"));

    private final Steps steps = new Steps();
    private final List<String> failed = new ArrayList<>();
    private RedisServer server;
    private PipelinedConnection connection;

    @BeforeEach
    void connect() {
        server = RedisServer.start();
        RedisEndpoint endpoint = Configs.endpoint(server, TIMEOUT);
        connection = PipelinedConnection.to(endpoint, 0, steps.sockets(server.port(), (int) TIMEOUT.toMillis()));
        server.pause();
    }

    @AfterEach
    void end() {
        server.resume();
        server.close();
    }

    private void send(String name, @Nullable Throwable thrown) {
        connection.send(CALL, System.nanoTime(), (reply, failure) -> {
            failed.add(name);
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        });
    }

    @Test
    void a_caller_that_fails_keeps_no_failure_from_the_others() {
        send("a", null);
        send("b", new OutOfMemoryError("injected"));
        send("c", new IllegalStateException("injected"));
        send("d", null);

        assertThatThrownBy(() -> connection.discard(new IllegalStateException("over")))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(failed).containsExactly("a", "b", "c", "d");
        assertThat(steps.open()).isZero();
    }

    @Test
    void an_error_in_closing_the_socket_keeps_no_failure_from_the_callers() {
        send("a", null);
        send("b", null);
        steps.failAt(1);

        assertThatThrownBy(() -> connection.discard(new IllegalStateException("over")))
                .isInstanceOf(Error.class);

        assertThat(failed).containsExactly("a", "b");
        assertThat(steps.open()).isZero();
    }
}
