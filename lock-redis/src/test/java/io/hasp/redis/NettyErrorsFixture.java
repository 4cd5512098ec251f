package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Tier;
import io.hasp.redis.FaultyChannel.Steps;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A JVM error is thrown where a client library on Netty reads, writes or connects: no reply goes to another request, no connection is
 * lost, and calls come through afterwards.
 */
@Timeout(600)
abstract class NettyErrorsFixture<C extends RedisConnection> extends EchoFixture {
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);
    private static final int RANDOM = Tier.count(300, 5_000);
    private static final int MOST_STEPS = 200;
    private static final int THREADS = 4;

    final Steps steps = new Steps();
    C connection;

    /** One whose sockets fail at the steps. */
    abstract C open();

    @BeforeEach
    void connect() {
        server.command("SCRIPT", "LOAD", ECHO.text());
        // A busy machine may need longer than the command timeout, which is short because each lost reply costs one.
        connection = await().ignoreExceptionsInstanceOf(BackendFailure.class).until(this::open, Objects::nonNull);
    }

    @AfterEach
    void close() {
        steps.failAt(0);
        connection.close();
        await().until(() -> clients() == 0);
    }

    /** Connections to the server beside the one that asks. */
    private static long clients() {
        return String.valueOf(server.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private String echo(String text) {
        return connection
                .evaluate(Command.EVALSHA, ECHO.sha(), List.of("key"), List.of(text))
                .toCompletableFuture()
                .join();
    }

    private boolean worksTwice() {
        boolean once = works(this::echo);
        return works(this::echo) && once;
    }

    @Test
    void an_error_at_any_step_leaves_no_reply_to_the_next_request() {
        await().until(() -> works(this::echo));
        boolean reached = true;
        for (int n = 1; reached && n < MOST_STEPS; n++) {
            int before = steps.errors();
            steps.failAt(n);
            // The first ends a connection, the next ones take another.
            for (int i = 0; i < 4; i++) {
                works(this::echo);
            }
            steps.failAt(0);
            reached = steps.errors() > before;
            await("calls after the error at step " + n).until(() -> worksTwice());
        }
        assertThat(steps.errors()).as("steps that failed").isBetween(10, MOST_STEPS - 2);
    }

    @Test
    void random_errors_under_many_threads_mix_no_replies_up() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            work.add(threads.submit(() -> {
                while (!over.get()) {
                    works(this::echo);
                }
            }));
        }
        for (int i = 0; i < RANDOM; i++) {
            if (i % 5 == 0) {
                steps.failAt(random.nextInt(1, 60));
            }
            works(this::echo);
        }
        steps.failAt(0);
        over.set(true);
        for (Future<?> one : work) {
            one.get(30, TimeUnit.SECONDS);
        }
        assertThat(steps.errors()).isGreaterThan(RANDOM / 20);
        await().until(() -> worksTwice());
    }
}
