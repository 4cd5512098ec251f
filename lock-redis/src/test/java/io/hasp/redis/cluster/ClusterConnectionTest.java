package io.hasp.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A connection to nodes that answer as is prepared. */
class ClusterConnectionTest {
    private static final Address A = new Address("a", 1);
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final StubNodes nodes = new StubNodes();
    private final Timing timing = new Timing() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            // What is repeated while a node is in doubt is not looked at.
            if (delay.compareTo(AT_ONCE) <= 0) {
                task.run();
            }
            return () -> {};
        }
    };

    private ClusterConnection open() {
        nodes.replies.put(A, "1\n0 16383 1 a");
        ClusterConnection cluster = ClusterConnection.open(
                "redis-cluster://a:1", List.of(A), nodes, new BackendContext("c", timing, Runnable::run));
        cluster.subscribe("channel", new ChannelListener(message -> {}, () -> {}, () -> {}));
        return cluster;
    }

    /** The stages of a check fail with the failure wrapped in another exception. */
    @Test
    void a_master_that_can_not_be_reached_is_not_checked() {
        nodes.replies.put(A, "1\n0 99 1 a\n100 16383 1 b");
        ClusterConnection cluster = ClusterConnection.open(
                "redis-cluster://a:1", List.of(A), nodes, new BackendContext("c", timing, Runnable::run));
        cluster.eachServer((server, tag) -> server.evaluate(Command.EVALSHA, "sha", List.of(tag), List.of())
                .toCompletableFuture()
                .join());
        assertThat(nodes.calls).contains("b:1");
        cluster.close();
    }

    /** Nothing would end the subscription. */
    @Test
    void a_master_that_joins_while_the_client_is_closed_is_not_listened_to() {
        ClusterConnection cluster = open();
        nodes.replies.put(A, "2\n0 99 1 a\n100 16383 1 b");
        AtomicReference<Thread> refreshing = new AtomicReference<>();
        nodes.meanwhile = () -> {
            refreshing.set(Thread.currentThread());
            cluster.close();
        };
        cluster.reconnect();
        await().until(() -> refreshing.get() != null && !refreshing.get().isAlive());
        assertThat(nodes.heard).isEmpty();
    }
}
