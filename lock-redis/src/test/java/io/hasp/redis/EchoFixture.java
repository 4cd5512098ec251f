package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A real server, and echo calls to it, each with a text of its own: a reply shows which call it belongs to. */
abstract class EchoFixture {
    static final Duration TIMEOUT = Duration.ofSeconds(5);
    static final LuaScript ECHO = LuaScript.of("return ARGV[1]");
    static final int NODES = 3;

    static RedisServer server;
    private final AtomicInteger texts = new AtomicInteger();
    final ExecutorService threads = Executors.newCachedThreadPool();

    /** A call that sends a text and returns the reply, which should be the same text. */
    @FunctionalInterface
    interface Echo {
        String answer(String text);
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** Sends a text that no other call sends. True if it came back, false if the call failed; another text is an assertion error. */
    boolean works(Echo echo) {
        String text = "t" + texts.incrementAndGet();
        try {
            assertThat(echo.answer(text)).as("the reply to %s", text).isEqualTo(text);
            return true;
        } catch (BackendFailure | CompletionException | StackOverflowError | OutOfMemoryError e) {
            return false;
        }
    }
}
