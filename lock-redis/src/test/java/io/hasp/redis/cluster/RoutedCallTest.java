package io.hasp.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.redis.cluster.RoutedCall.Ways;
import io.hasp.redis.cluster.Topology.Range;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The route of a call, with nodes whose answers are prepared and a clock that moves with each pause. */
class RoutedCallTest {
    private static final Address A = new Address("a", 1);
    private static final Address B = new Address("b", 1);

    private final StubNodes nodes = new StubNodes();
    private final SlotTable table = new SlotTable(nodes);
    private final Timing timing = new Timing() {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            now += delay.toNanos();
            onPause.run();
            task.run();
            return () -> {};
        }
    };
    private final TopologyRefresh refresh =
            new TopologyRefresh(table, List.of(A), nodes, timing, task -> {}, change -> {});
    private Runnable onPause = () -> {};

    RoutedCallTest() {
        table.take(new Topology(1, List.of(new Range(0, 99, A), new Range(100, 199, B))));
    }

    private RoutedCall<String> routed() {
        Ways ways = new Ways(table, refresh, timing, Runnable::run, Duration.ofSeconds(2));
        return new RoutedCall<>(
                ways,
                7,
                (node, asking) -> asking
                        ? node.connection.evaluateAsking(Command.EVALSHA, "sha", List.of("k"), List.of())
                        : node.connection.evaluate(Command.EVALSHA, "sha", List.of("k"), List.of()));
    }

    private String call() {
        return routed().send().toCompletableFuture().join();
    }

    private void assertFails(Class<? extends Throwable> type, String message) {
        assertThatThrownBy(this::call).cause().isInstanceOf(type).hasMessageContaining(message);
    }

    @Test
    void a_call_that_was_moved_goes_to_where_it_was_sent() {
        nodes.replies.put(A, "-MOVED 7 b:1");
        nodes.replies.put(B, "done");
        assertThat(call()).isEqualTo("done");
        assertThat(nodes.calls).containsExactly("a:1", "b:1");
    }

    /** Its thread may have followed other answers before, and a silent node would cost it a timeout for each. */
    @Test
    void a_call_whose_time_is_over_is_not_sent_elsewhere() {
        nodes.replies.put(A, "-MOVED 7 b:1");
        nodes.replies.put(B, "done");
        nodes.meanwhile = () -> timing.schedule(Duration.ofSeconds(2), () -> {});
        assertFails(BackendFailure.class, "b:1 can't be reached: no time was left for MOVED 7 b:1");
        assertThat(nodes.calls).containsExactly("a:1");
    }

    @Test
    void a_call_that_has_to_ask_asks_that_once() {
        nodes.replies.put(A, "-ASK 7 b:1");
        nodes.replies.put(B, "done");
        assertThat(call()).isEqualTo("done");
        assertThat(nodes.calls).containsExactly("a:1", "asking b:1");
    }

    @Test
    void keys_that_are_being_moved_are_waited_for() {
        nodes.replies.put(A, "-TRYAGAIN Multiple keys request during rehashing of slot");
        onPause = () -> nodes.replies.put(A, "done");
        assertThat(call()).isEqualTo("done");
        assertThat(nodes.calls).containsExactly("a:1", "a:1");
    }

    @Test
    void what_is_not_over_after_a_part_of_the_command_timeout_is_the_failure() {
        nodes.replies.put(A, "-TRYAGAIN Multiple keys request during rehashing of slot");
        assertFails(ErrorReplyException.class, "TRYAGAIN");
        assertThat(timing.nanoTime()).isLessThanOrEqualTo(Duration.ofMillis(500).toNanos());
        nodes.replies.put(A, "-CLUSTERDOWN The cluster is down");
        assertFails(ErrorReplyException.class, "CLUSTERDOWN");
    }

    @Test
    void keys_that_are_being_moved_are_not_waited_for_by_who_can_do_with_fewer() {
        nodes.replies.put(A, "-TRYAGAIN Multiple keys request during rehashing of slot");
        onPause = () -> nodes.replies.put(A, "done");
        assertThatThrownBy(() ->
                        routed().unlessMoving().send().toCompletableFuture().join())
                .cause()
                .isInstanceOf(ErrorReplyException.class)
                .hasMessageContaining("TRYAGAIN");
        assertThat(nodes.calls).containsExactly("a:1");
    }

    @Test
    void nodes_that_send_a_call_to_each_other_do_not_do_so_for_ever() {
        nodes.replies.put(A, "-MOVED 7 b:1");
        nodes.replies.put(B, "-MOVED 7 a:1");
        assertFails(ErrorReplyException.class, "MOVED 7");
        assertThat(nodes.calls.size()).isBetween(12, 200);
    }

    @Test
    void another_error_is_the_answer() {
        nodes.replies.put(A, "-OOM command not allowed");
        assertFails(ErrorReplyException.class, "OOM");
        assertThat(nodes.calls).hasSize(1);
    }

    @Test
    void a_node_that_was_never_reached_may_have_been_replaced() {
        Address c = new Address("c", 1);
        nodes.replies.put(B, "2\n0 99 1 c\n100 199 1 b");
        nodes.replies.put(c, "done");
        table.node(A).doubted = true;
        assertThat(call()).isEqualTo("done");
        assertThat(nodes.calls).containsExactly("a:1", "b:1", "c:1");
    }

    @Test
    void a_node_that_is_still_the_master_and_can_not_be_reached_is_a_failure() {
        nodes.replies.put(B, "2\n0 99 1 a\n100 199 1 b");
        table.node(A).doubted = true;
        assertFails(BackendFailure.class, "a:1 can't be reached");
    }
}
