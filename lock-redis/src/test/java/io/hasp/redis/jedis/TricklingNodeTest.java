package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.redis.Configs;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.BackendFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A node of which each byte comes in time, and the reply does not. */
class TricklingNodeTest {
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final Duration TRICKLES = Duration.ofSeconds(3);

    @Test
    void the_timeout_is_that_of_the_whole_reply() throws IOException {
        try (ServerSocket node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> trickle(node), "trickling-node");
            thread.setDaemon(true);
            thread.start();
            RedisEndpoint endpoint = Configs.endpoint(node.getLocalPort(), TIMEOUT);
            PipelinedConnection connection = PipelinedConnection.to(endpoint, 0, JedisSockets.of(endpoint));
            ScriptCall call = new ScriptCall(LockScript.CHECK.lua(), List.of("k"), List.of("c"));
            long begun = System.nanoTime();
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> connection.answer(call))
                    .withRootCauseInstanceOf(SocketTimeoutException.class)
                    .withCauseInstanceOf(BackendFailure.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(TIMEOUT, TRICKLES.dividedBy(2));
            assertThat(connection.broken()).isTrue();
        }
    }

    private static void trickle(ServerSocket node) {
        try (Socket client = node.accept();
                OutputStream out = client.getOutputStream()) {
            out.write("$10000\r\n".getBytes(StandardCharsets.US_ASCII));
            long end = System.nanoTime() + TRICKLES.toNanos();
            while (System.nanoTime() < end) {
                out.write('x');
                out.flush();
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (IOException e) {
            // The client has left.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
