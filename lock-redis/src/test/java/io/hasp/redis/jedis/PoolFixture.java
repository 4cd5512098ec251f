package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * A pool under test, on a real server that can be paused and resumed. Most commands are an echo, so a reply shows which command it
 * belongs to.
 */
abstract class PoolFixture {
    static final String ECHO = "if ARGV[1] == 'fail' then return redis.error_reply('BROKEN') end return ARGV[1]";
    static final int THREADS = 64;
    static final Duration TIMEOUT = Duration.ofSeconds(1);

    static RedisServer server;
    final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    JedisConnection connection;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        connection = new JedisConnection(Configs.endpoint(server, TIMEOUT));
    }

    @AfterEach
    void disconnect() {
        server.resume();
        connection.close();
        threads.shutdownNow();
    }

    CompletionStage<String> sendEcho(String text) {
        return connection.evaluate(Command.EVAL, ECHO, List.of(), List.of(text));
    }

    String echo(String text) {
        return sendEcho(text).toCompletableFuture().join();
    }

    void assertFails(String text) {
        assertThatThrownBy(() -> echo(text)).hasCauseInstanceOf(BackendFailure.class);
    }

    /** Runs the same in {@link #THREADS} threads, each with a name of its own. */
    List<Future<?>> inEachThread(Consumer<String> work) {
        List<Future<?>> started = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "t" + thread;
            started.add(threads.submit(() -> work.accept(name)));
        }
        return started;
    }

    static void allSucceed(List<Future<?>> started) throws Exception {
        for (Future<?> one : started) {
            one.get();
        }
    }

    static long threadsOnASocket() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().equals(PooledSocket.class.getName())
                                && frame.getMethodName().equals("exchange")))
                .count();
    }
}
