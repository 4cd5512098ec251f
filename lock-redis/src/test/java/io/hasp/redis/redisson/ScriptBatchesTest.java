package io.hasp.redis.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LuaScript;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many calls at once through Redisson: which reply each gets, how many reads they cost, and what becomes of them when none comes. */
@Timeout(60)
class ScriptBatchesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final LuaScript ECHO = LuaScript.of("return ARGV[1]");
    private static final LuaScript REFUSAL = LuaScript.of("return redis.error_reply('FOREIGN ' .. ARGV[1])");
    private static final String UNKNOWN = "0".repeat(40);

    private static RedisServer server;
    private static RedissonConnection connection;

    @BeforeAll
    static void connect() {
        server = RedisServer.start();
        connection = RedissonConnection.open(Configs.endpoint(server, TIMEOUT));
        for (LuaScript script : List.of(ECHO, REFUSAL)) {
            server.command("SCRIPT", "LOAD", script.text());
        }
    }

    @AfterAll
    static void close() {
        connection.close();
        server.close();
    }

    @Test
    void each_call_gets_its_own_reply_and_its_own_error() {
        List<CompletableFuture<String>> replies = atOnce(3_000, i -> {
            String digest = i % 50 == 7 ? UNKNOWN : i % 10 == 3 ? REFUSAL.sha() : ECHO.sha();
            return call(connection, digest, "text " + i);
        });
        for (int i = 0; i < replies.size(); i++) {
            CompletableFuture<String> reply = replies.get(i);
            String error = i % 50 == 7 ? "NOSCRIPT" : i % 10 == 3 ? "FOREIGN text " + i : null;
            if (error == null) {
                assertThat(reply.join()).isEqualTo("text " + i);
            } else {
                assertThatThrownBy(reply::join)
                        .hasCauseInstanceOf(ErrorReplyException.class)
                        .cause()
                        .hasMessageStartingWith(error);
            }
        }
    }

    @Test
    void calls_that_come_together_are_read_together() {
        atOnce(100, i -> call(connection, ECHO.sha(), "warm")).forEach(CompletableFuture::join);
        long before = reads();
        atOnce(2_000, i -> call(connection, ECHO.sha(), "text")).forEach(CompletableFuture::join);
        assertThat(reads() - before).as("reads of 2,000 calls").isLessThan(1_000);
    }

    private static long reads() {
        Matcher count = Pattern.compile("total_reads_processed:(\\d+)")
                .matcher(String.valueOf(server.command("INFO", "stats")));
        assertThat(count.find()).isTrue();
        return Long.parseLong(count.group(1));
    }

    @Test
    void a_silent_server_fails_all_calls_after_one_timeout() throws Exception {
        try (RedisServer silent = RedisServer.start()) {
            RedissonConnection toSilent = RedissonConnection.open(Configs.endpoint(silent, TIMEOUT));
            silent.pause();
            long began = System.nanoTime();
            List<CompletableFuture<String>> replies = atOnce(60, i -> call(toSilent, ECHO.sha(), "text"));
            for (CompletableFuture<String> reply : replies) {
                assertThatThrownBy(reply::join).hasCauseInstanceOf(BackendFailure.class);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isLessThan(TIMEOUT.multipliedBy(7).dividedBy(4));
            silent.resume();
            assertThat(call(toSilent, Command.EVAL, ECHO.text(), "again").join())
                    .isEqualTo("again");
            assertThat(call(toSilent, ECHO.sha(), "once more").join()).isEqualTo("once more");
            toSilent.close();
        }
    }

    /** Redisson may forget what was asked while it shuts down. */
    @Test
    void calls_end_while_and_after_the_connection_is_closed() {
        Duration timeout = Duration.ofMillis(300);
        for (int round = 0; round < 5; round++) {
            RedissonConnection closing = RedissonConnection.open(Configs.endpoint(server, timeout));
            List<CompletableFuture<String>> replies = atOnce(500, i -> {
                if (i == 250) {
                    closing.close();
                }
                return call(closing, ECHO.sha(), "text");
            });
            for (CompletableFuture<String> reply : replies) {
                assertThat(reply.handle((text, failure) -> text != null || failure != null))
                        .succeedsWithin(timeout.multipliedBy(5));
            }
            assertThatThrownBy(replies.get(499)::join).hasCauseInstanceOf(BackendFailure.class);
        }
    }

    /** Redisson's decoder keeps such an error in the command, and forgets at the next piece that there was one. */
    @Test
    void a_reply_that_says_try_again_in_a_piece_of_its_own_leaves_no_call_without_an_end() throws Exception {
        try (TryAgainServer refusing = new TryAgainServer()) {
            RedissonConnection toRefusing = RedissonConnection.open(Configs.endpoint(refusing.port(), TIMEOUT));
            List<CompletableFuture<String>> replies = atOnce(300, i -> call(toRefusing, ECHO.sha(), "text"));
            for (CompletableFuture<String> reply : replies) {
                assertThat(reply.handle((text, failure) -> text != null || failure != null))
                        .succeedsWithin(TIMEOUT.multipliedBy(4));
            }
            toRefusing.close();
        }
    }

    private interface Calls {
        CompletableFuture<String> get(int number);
    }

    private static List<CompletableFuture<String>> atOnce(int count, Calls calls) {
        return IntStream.range(0, count).mapToObj(calls::get).toList();
    }

    private static CompletableFuture<String> call(RedissonConnection connection, String digest, String text) {
        return call(connection, Command.EVALSHA, digest, text);
    }

    private static CompletableFuture<String> call(
            RedissonConnection connection, Command command, String script, String text) {
        CompletionStage<String> reply = connection.evaluate(command, script, List.of("key"), List.of(text));
        return reply.toCompletableFuture();
    }

    /** Answers the first script of each read with an error that says to try again, and the rest a little later. */
    private static final class TryAgainServer implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new ArrayList<>();

        TryAgainServer() throws IOException {
            start(() -> {
                while (true) {
                    Socket socket = listener.accept();
                    synchronized (sockets) {
                        sockets.add(socket);
                    }
                    start(() -> serve(socket));
                }
            });
        }

        private interface Io {
            void run() throws IOException, InterruptedException;
        }

        private static void start(Io task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (SocketException | InterruptedException e) {
                    // Closed.
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listener.getLocalPort();
        }

        private static void serve(Socket socket) throws IOException, InterruptedException {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            OutputStream out = socket.getOutputStream();
            boolean first = true;
            for (String header; (header = in.readLine()) != null; ) {
                List<String> command = new ArrayList<>();
                for (int i = Integer.parseInt(header.substring(1)); i > 0; i--) {
                    in.readLine();
                    command.add(in.readLine());
                }
                boolean script = command.get(0).equals("EVALSHA");
                String reply = script ? (first ? "-TRYAGAIN later" : "$4\r\ntext") : "+OK";
                out.write(((command.get(0).equals("PING") ? "+PONG" : reply) + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                out.flush();
                if (script && first) {
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                first = !in.ready();
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            synchronized (sockets) {
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
        }
    }
}
