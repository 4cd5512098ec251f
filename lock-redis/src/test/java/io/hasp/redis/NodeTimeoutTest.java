package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.redis.redlock.RedlockNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each node has the whole node timeout to answer, from when it was asked. Connecting to another node, or again, takes none of it. */
@InTier(Tier.STANDARD)
class NodeTimeoutTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Runnable takes(Duration time) {
        AtomicBoolean over = new AtomicBoolean();
        return () -> {
            if (over.compareAndSet(false, true)) {
                long end = System.nanoTime() + time.toNanos();
                for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            }
        };
    }

    private static void assertNoneWasLeftOut(EchoNodes nodes, List<String> reasons) {
        assertThat(reasons(nodes)).as("why nodes were left out").isEqualTo(reasons);
    }

    private static List<String> reasons(EchoNodes nodes) {
        return nodes.nodes.stream()
                .map(RedlockNode::reason)
                .map(Throwable::getMessage)
                .toList();
    }

    @Test
    void a_node_that_is_asked_after_another_was_connected_is_not_late() {
        try (EchoNodes nodes = new EchoNodes(server, TIMEOUT)) {
            List<String> reasons = reasons(nodes);
            nodes.beforeConnecting(0, takes(TIMEOUT.multipliedBy(11).dividedBy(10)));
            nodes.proxies.get(2).set(Direction.REPLIES, TrafficPolicy.HOLD);

            NodeReplies replies = nodes.ask("text", answered -> answered.replied() >= 2);

            assertThat(replies.replied()).isEqualTo(2);
            assertNoneWasLeftOut(nodes, reasons);
        }
    }

    @Test
    void a_node_that_is_asked_a_second_time_has_its_time_after_it_was_connected() {
        try (EchoNodes nodes = new EchoNodes(server, TIMEOUT)) {
            List<String> reasons = reasons(nodes);
            nodes.ask("connects", NodeReplies::complete);
            nodes.beforeConnecting(0, takes(TIMEOUT.multipliedBy(8).dividedBy(10)));
            nodes.proxies.get(0).when(Direction.REPLIES, "text", connection -> {
                connection.cut(ConnectionEnd.RST);
                nodes.proxies
                        .get(0)
                        .set(
                                Direction.REPLIES,
                                TrafficPolicy.delayed(TIMEOUT.multipliedBy(4).dividedBy(10)));
            });

            NodeReplies replies = nodes.ask("text", NodeReplies::complete);

            assertThat(replies.reply(0)).isEqualTo("text");
            assertNoneWasLeftOut(nodes, reasons);
        }
    }

    /** Both its connection and its answer count, each once. */
    @Test
    void a_node_that_does_not_answer_is_waited_for_once() {
        try (EchoNodes nodes = new EchoNodes(server, TIMEOUT)) {
            nodes.ask("connects", NodeReplies::complete);
            nodes.proxies.get(0).set(Direction.REPLIES, TrafficPolicy.HOLD);
            long start = System.nanoTime();

            NodeReplies replies = nodes.ask("text", NodeReplies::complete);

            assertThat(replies.replied()).isEqualTo(2);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(TIMEOUT, TIMEOUT.multipliedBy(3).dividedBy(2));
            nodes.proxies.get(0).heal();
        }
    }
}
