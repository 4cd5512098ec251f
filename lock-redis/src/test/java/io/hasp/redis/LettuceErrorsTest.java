package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Tier;
import io.hasp.redis.FaultyChannel.Steps;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A JVM error is thrown where Lettuce reads, writes, connects or sets a timer: no reply goes to another request, no connection is lost,
 * and calls and messages come through afterwards.
 */
@Timeout(600)
class LettuceErrorsTest extends EchoFixture {
    private static final int RANDOM = Tier.count(300, 5_000);
    private static final int MOST_STEPS = 200;
    private static final int THREADS = 4;

    private final Steps steps = new Steps();
    private final ClientResources resources = DefaultClientResources.builder()
            .eventExecutorGroup(new FaultyTimers(steps))
            .nettyCustomizer(new FaultyChannels(steps))
            .build();
    private final RedisClient client = RedisClient.create(resources);
    private LettuceConnection connection;

    @BeforeEach
    void connect() {
        RedisURI uri = RedisURI.create(server.uri());
        uri.setTimeout(Duration.ofMillis(300));
        connection = LettuceConnection.beside(client, uri);
    }

    @AfterEach
    void close() {
        steps.failAt(0);
        connection.close();
        await().until(() -> clients() == 0);
        client.shutdown();
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Connections to the server beside the one that asks. */
    private static long clients() {
        return String.valueOf(server.command("CLIENT", "LIST")).lines().count() - 1;
    }

    private String echo(String text) {
        return connection
                .evaluate(Command.EVAL, ECHO.text(), List.of(), List.of(text))
                .toCompletableFuture()
                .join();
    }

    @Test
    void an_error_at_any_step_leaves_no_reply_to_the_next_request() {
        assertThat(works(this::echo)).isTrue();
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
            await().until(() -> works(this::echo));
            assertThat(works(this::echo))
                    .as("the call after the error at step %s", n)
                    .isTrue();
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
        await().until(() -> works(this::echo));
        assertThat(works(this::echo)).isTrue();
    }

    @Test
    void an_error_at_any_step_of_a_new_subscription_does_not_make_a_client_deaf() {
        AtomicInteger heard = new AtomicInteger();
        Subscription subscription =
                connection.subscribe("c", new ChannelListener(message -> heard.incrementAndGet(), () -> {}, () -> {}));
        for (int n = 1; n < Tier.count(25, 100); n++) {
            steps.failAt(n);
            connection.reconnect();
            await().pollDelay(Duration.ZERO).until(() -> !subscription.live() || steps.errors() > 0);
            // The client asks before each acquisition.
            await("live after an error at step " + n)
                    .pollInterval(Duration.ofMillis(5))
                    .until(subscription::live);
            steps.failAt(0);
            int before = heard.get();
            await("a message after an error at step " + n)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        server.command("PUBLISH", "c", "text");
                        return subscription.live() && heard.get() > before;
                    });
        }
        assertThat(steps.errors()).isGreaterThan(10);
    }

    private record FaultyChannels(Steps steps) implements NettyCustomizer {
        @Override
        public void afterChannelInitialized(Channel channel) {
            FaultyChannel.in(channel, steps);
        }
    }

    private static final class FaultyTimers extends DefaultEventExecutorGroup {
        private final Steps steps;

        FaultyTimers(Steps steps) {
            super(2);
            this.steps = steps;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            steps.step();
            return super.schedule(command, delay, unit);
        }
    }
}
