package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.redis.jedis.JedisNodes;
import io.hasp.redis.lettuce.LettuceNodes;
import io.hasp.redis.server.NodeConnection;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisEndpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that stands still takes connections and answers nothing. When another node has its slots, no call waits for it. */
class NodeCutTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(2);

    private static NodeConnection.Connector nodes(String library, int port) {
        RedisEndpoint endpoint = Configs.endpoint(port, COMMAND_TIMEOUT);
        return library.equals("jedis") ? new JedisNodes(endpoint) : LettuceNodes.open(endpoint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jedis", "lettuce"})
    void a_call_to_a_node_that_answers_nothing_ends_when_the_node_is_left(String library) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                NodeConnection.Connector nodes = nodes(library, silent.getLocalPort());
                NodeConnection node = nodes.connect("127.0.0.1", silent.getLocalPort())) {
            CompletableFuture<String> reply = new CompletableFuture<>();
            Thread caller = new Thread(() -> node.evaluate(Command.EVALSHA, "sha", List.of("k"), List.of())
                    .whenComplete((answer, failure) -> reply.complete(String.valueOf(failure))));
            caller.start();
            silent.accept();
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                node.cut();
                return reply.isDone();
            });
            assertThat(reply.join()).contains("127.0.0.1:" + silent.getLocalPort());
            caller.join();
        }
    }
}
