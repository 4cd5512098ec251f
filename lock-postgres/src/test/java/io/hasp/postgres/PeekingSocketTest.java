package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.postgres.socket.PeekingSocketFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The driver's look for another message costs no millisecond. */
class PeekingSocketTest {

    @Test
    void a_look_ends_at_once_and_other_reads_wait() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket =
                        new PeekingSocketFactory().createSocket(server.getInetAddress(), server.getLocalPort());
                Socket other = server.accept()) {
            socket.setSoTimeout(1);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("nothing has arrived");
            socket.setSoTimeout(0);
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
                try {
                    return socket.getInputStream().read();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            other.getOutputStream().write(new byte[] {7, 8, 9});
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(7);
            socket.setSoTimeout(1);
            assertThat(socket.getInputStream().read()).isEqualTo(8);
            assertThat(socket.getInputStream().read()).isEqualTo(9);
        }
    }

    @Test
    void a_message_arrives_within_a_millisecond() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                Database database = Database.connect(PostgresConfig.of(URI.create(server.uri())))) {
            AtomicLong arrived = new AtomicLong();
            try (Listener listener =
                    new Listener(database, "looks", text -> arrived.set(System.nanoTime()), () -> {})) {
                listener.start();
                long least = Long.MAX_VALUE;
                for (int i = 0; i < 200; i++) {
                    arrived.set(0);
                    long begin = System.nanoTime();
                    database.call("message", on -> on.createStatement().execute("notify looks, 'm'"));
                    while (arrived.get() == 0 && System.nanoTime() - begin < 30_000_000_000L) {
                        Thread.onSpinWait();
                    }
                    assertThat(arrived.get()).as("message %s", i).isNotZero();
                    least = Math.min(least, arrived.get() - begin);
                }
                assertThat(Duration.ofNanos(least)).isLessThan(Duration.ofMillis(1));
            }
        }
    }
}
