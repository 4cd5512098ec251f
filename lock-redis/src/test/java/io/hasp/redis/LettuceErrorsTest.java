package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.FaultyChannel.Steps;
import io.hasp.redis.lettuce.LettuceConnection;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Errors of the JVM inside of Lettuce, also where it takes memory and where it sets a timer. */
@InTier(Tier.STANDARD)
class LettuceErrorsTest extends NettyErrorsFixture<LettuceConnection> {
    private final FaultyTimers timers = new FaultyTimers(steps);
    private final ClientResources resources = DefaultClientResources.builder()
            .eventExecutorGroup(timers)
            .nettyCustomizer(new FaultyChannels(steps))
            .build();
    private final RedisClient client = RedisClient.create(resources);

    @Override
    LettuceConnection open() {
        RedisURI uri = RedisURI.create(server.uri());
        uri.setTimeout(COMMAND_TIMEOUT);
        return LettuceConnection.beside(client, uri);
    }

    @AfterEach
    @Override
    void close() {
        super.close();
        client.shutdown();
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
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

    @Test
    void who_listens_is_told_that_an_error_took_a_message_away() {
        AtomicInteger heard = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        Subscription subscription = connection.subscribe(
                "c", new ChannelListener(message -> heard.incrementAndGet(), interrupted::incrementAndGet, () -> {}));
        for (int errors = 1; errors <= 3; errors++) {
            await("live before error " + errors).until(subscription::live);
            // After the memory for it is taken: where it is read.
            steps.failAt(2);
            server.command("PUBLISH", "c", "lost");
            int told = errors;
            await("told of error " + errors).until(() -> interrupted.get() == told);
        }
        assertThat(heard).hasValue(0);
        await().until(subscription::live);
        server.command("PUBLISH", "c", "text");
        await().until(() -> heard.get() == 1);
    }

    /** Netty's thread for it may have ended: then nothing is thrown, and nothing happens. */
    @Test
    void a_new_subscription_that_got_lost_does_not_make_a_client_deaf() {
        Subscription subscription = connection.subscribe("c", new ChannelListener(message -> {}, () -> {}, () -> {}));
        timers.losing = true;
        connection.reconnect();
        await().until(() -> timers.lost.get() > 0);
        timers.losing = false;
        await().until(subscription::live);
    }

    private record FaultyChannels(Steps steps) implements NettyCustomizer {
        @Override
        public void afterBootstrapInitialized(Bootstrap bootstrap) {
            steps.step();
            bootstrap.option(ChannelOption.ALLOCATOR, new FaultyAllocator(steps));
        }

        @Override
        public void afterChannelInitialized(Channel channel) {
            FaultyChannel.in(channel, steps);
        }
    }

    private static final class FaultyTimers extends DefaultEventExecutorGroup {
        private final Steps steps;
        private final AtomicInteger lost = new AtomicInteger();
        private volatile boolean losing;

        FaultyTimers(Steps steps) {
            super(2);
            this.steps = steps;
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            steps.step();
            return super.schedule(losing ? lost::incrementAndGet : command, delay, unit);
        }
    }
}
