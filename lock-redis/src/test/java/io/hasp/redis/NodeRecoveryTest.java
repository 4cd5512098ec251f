package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.redlock.NodeReplies;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that is left out is tried again, also if a timer or a thread for that could not be had. */
class NodeRecoveryTest {
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

    enum Thrown {
        REFUSAL,
        ERROR;

        void now() {
            if (this == ERROR) {
                throw new OutOfMemoryError("injected");
            }
            throw new RejectedExecutionException("injected");
        }
    }

    /** Throws the next times that it is asked for something. */
    private static final class Faults {
        private final Thrown thrown;
        private final AtomicInteger left = new AtomicInteger();

        Faults(Thrown thrown) {
            this.thrown = thrown;
        }

        void come() {
            if (left.getAndUpdate(some -> Math.max(0, some - 1)) > 0) {
                thrown.now();
            }
        }

        Timing on(Timing real) {
            return new Timing() {
                @Override
                public long nanoTime() {
                    return real.nanoTime();
                }

                @Override
                public Timer schedule(Duration delay, Runnable task) {
                    come();
                    return real.schedule(delay, task);
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_node_comes_back_though_no_timer_could_be_set(Thrown thrown) throws Exception {
        Faults faults = new Faults(thrown);
        try (EchoNodes nodes = new EchoNodes(server, TIMEOUT, faults::on)) {
            comesBack(nodes, faults);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_node_comes_back_though_no_thread_took_its_probe(Thrown thrown) throws Exception {
        Faults faults = new Faults(thrown);
        try (EchoNodes nodes = new EchoNodes(server, TIMEOUT, real -> real, real -> task -> {
            faults.come();
            real.execute(task);
        })) {
            comesBack(nodes, faults);
        }
    }

    private static void comesBack(EchoNodes nodes, Faults faults) throws Exception {
        nodes.ask("connects", NodeReplies::complete);
        faults.left.set(3);
        nodes.proxies.get(0).refuse();
        nodes.proxies.get(0).cut(ConnectionEnd.RST);
        CompletableFuture<NodeReplies> asked =
                CompletableFuture.supplyAsync(() -> nodes.ask("text", NodeReplies::complete));
        asked.exceptionally(e -> null).get(10, TimeUnit.SECONDS);
        nodes.proxies.get(0).heal();
        await().until(() -> answered(nodes) == EchoNodes.NODES);
        assertThat(faults.left).hasValue(0);
    }

    private static int answered(EchoNodes nodes) {
        try {
            return nodes.ask("again", NodeReplies::complete).replied();
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return 0;
        }
    }
}
