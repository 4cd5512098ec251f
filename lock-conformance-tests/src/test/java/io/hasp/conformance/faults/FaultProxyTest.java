package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A proxy holds, drops and delays the bytes of connections. */
final class FaultProxyTest extends RedisBehindProxy {

    @Test
    void everything_passes_a_healthy_proxy_in_order() throws IOException {
        try (RespConnection client = connect(LONG)) {
            String large = "x".repeat(3_000_000);
            client.command("SET", "large", large);
            assertThat(client.text("GET", "large")).isEqualTo(large);
            for (int i = 0; i < 2_000; i++) {
                client.send("ECHO", "message " + i);
            }
            for (int i = 0; i < 2_000; i++) {
                assertThat(client.receive()).isEqualTo("message " + i);
            }
            ProxiedConnection connection = proxy.connections().get(0);
            assertThat(connection.passed(Direction.REPLIES)).isGreaterThan(3_000_000);
            assertThat(String.valueOf(redis.command("CLIENT", "LIST")))
                    .contains("addr=127.0.0.1:" + connection.serverSidePort());
        }
        await().until(() -> proxy.connections().isEmpty());
    }

    @Test
    void held_requests_do_not_reach_the_server_until_healed() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REQUESTS, TrafficPolicy.HOLD);
            client.send("SET", "k", "v");
            await().until(() -> proxy.connections().get(0).waiting(Direction.REQUESTS) > 0);
            assertThat(redis.command("GET", "k")).isNull();
            proxy.heal();
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(redis.command("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void held_replies_are_of_requests_that_were_applied() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REPLIES, TrafficPolicy.HOLD);
            client.send("INCR", "n");
            client.send("INCR", "n");
            await().until(() -> "2".equals(redis.command("GET", "n")));
            assertThatThrownBy(() -> {
                        try (RespConnection other = connect(SHORT)) {
                            other.command("PING");
                        }
                    })
                    .isInstanceOf(SocketTimeoutException.class);
            proxy.heal();
            assertThat(client.receive()).isEqualTo(1L);
            assertThat(client.receive()).isEqualTo(2L);
        }
    }

    @Test
    void replies_dropped_after_the_request_was_applied_cost_the_connection_when_healed() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
            client.send("INCR", "n");
            await().until(() -> proxy.connections().get(0).dropped(Direction.REPLIES) > 0);
            assertThat(redis.command("GET", "n")).isEqualTo("1");
            proxy.heal();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
        }
        try (RespConnection client = connected()) {
            assertThat(client.command("GET", "n")).isEqualTo("1");
        }
    }

    @Test
    void requests_dropped_are_never_applied() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REQUESTS, TrafficPolicy.DROP);
            client.timeout(SHORT);
            assertThatThrownBy(() -> client.command("INCR", "n")).isInstanceOf(SocketTimeoutException.class);
            proxy.heal();
            assertThat(redis.command("GET", "n")).isNull();
        }
    }

    @Test
    void a_healed_connection_that_lost_nothing_lives_on() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(TrafficPolicy.DROP);
            proxy.heal();
            assertThat(client.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void delayed_bytes_come_late_and_in_order() throws IOException {
        try (RespConnection client = connected()) {
            proxy.set(Direction.REQUESTS, TrafficPolicy.delayed(Duration.ofMillis(60)));
            proxy.set(Direction.REPLIES, TrafficPolicy.delayed(Duration.ofMillis(40)));
            long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                client.send("ECHO", "m" + i);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(client.receive()).isEqualTo("m" + i);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(100), Duration.ofSeconds(5));
        }
    }

    @Test
    void a_delay_of_parts_of_a_millisecond_is_kept() throws IOException {
        Duration delay = Duration.ofNanos(600_000);
        try (RespConnection client = connected()) {
            proxy.set(Direction.REQUESTS, TrafficPolicy.delayed(delay));
            proxy.set(Direction.REPLIES, TrafficPolicy.delayed(delay));
            long fastest = Long.MAX_VALUE;
            for (int i = 0; i < 300; i++) {
                long start = System.nanoTime();
                assertThat(client.command("PING")).isEqualTo("PONG");
                fastest = Math.min(fastest, System.nanoTime() - start);
            }
            assertThat(Duration.ofNanos(fastest))
                    .as("the fastest round trip")
                    .isBetween(delay.multipliedBy(2), Duration.ofNanos(1_950_000));
        }
    }

    @Test
    void a_trigger_strikes_once_before_the_bytes_pass() throws IOException {
        try (RespConnection client = connected();
                RespConnection other = connected()) {
            CompletableFuture<ProxiedConnection> struck = proxy.when(
                    Direction.REQUESTS, "INCR", connection -> connection.set(Direction.REPLIES, TrafficPolicy.DROP));
            assertThat(client.command("SET", "k", "v")).isEqualTo("OK");
            client.send("INCR", "n");
            assertThat(struck.orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
                            .join())
                    .isSameAs(proxy.connections().get(0));
            await().until(() -> "1".equals(redis.command("GET", "n")));
            assertThat(other.command("INCR", "n")).isEqualTo(2L);
            client.timeout(SHORT);
            assertThatThrownBy(client::receive).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void bytes_of_many_clients_at_once_arrive_unchanged_through_changing_faults() throws Exception {
        try (ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                FaultProxy changing = FaultProxy.before(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()),
                        InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> echoAll(echo));
            server.setDaemon(true);
            server.start();
            CompletableFuture<?>[] clients = new CompletableFuture<?>[4];
            for (int c = 0; c < clients.length; c++) {
                long seed = c;
                clients[c] = CompletableFuture.runAsync(() -> sendAndCompare(changing.port(), seed));
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(clients);
            while (!all.isDone()) {
                changing.set(Direction.REQUESTS, TrafficPolicy.HOLD);
                changing.set(Direction.REPLIES, TrafficPolicy.delayed(Duration.ofMillis(3)));
                changing.set(Direction.REQUESTS, TrafficPolicy.delayed(Duration.ofMillis(1)));
                changing.set(Direction.REPLIES, TrafficPolicy.HOLD);
                changing.heal();
            }
            all.join();
        }
    }

    private static void echoAll(ServerSocket listener) {
        while (true) {
            try {
                Socket socket = listener.accept();
                Thread thread = new Thread(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException e) {
                        assertThat(e).isNotNull();
                    }
                });
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void sendAndCompare(int port, long seed) {
        byte[] sent = new byte[2_000_000];
        new Random(seed).nextBytes(sent);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            Thread writer = new Thread(() -> {
                try {
                    out.write(sent);
                } catch (IOException e) {
                    assertThat(e).isNotNull();
                }
            });
            writer.start();
            InputStream in = socket.getInputStream();
            assertThat(in.readNBytes(sent.length)).isEqualTo(sent);
            writer.join();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
