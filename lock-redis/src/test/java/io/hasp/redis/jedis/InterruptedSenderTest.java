package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.jedis.FaultySocket.Steps;
import io.hasp.redis.server.RedisEndpoint;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** A sender that is interrupted while another thread connects the socket that carries its command. */
class InterruptedSenderTest {
    /** An eighth of it is long enough to see that a thread does not rest. */
    private static final Duration TIMEOUT = Duration.ofSeconds(16);

    private static final Duration AN_EIGHTH = TIMEOUT.dividedBy(8);
    private static final Duration LITTLE = Duration.ofMillis(200);

    private final Steps steps = new Steps();
    private final AtomicInteger connecting = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(1);

    @Test
    void it_rests_until_its_reply_comes_and_keeps_the_interrupt() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            CombiningPool lanes = lanes(server);
            connectTwo(lanes);
            breakTheFirst(lanes);
            gate = new CountDownLatch(1);
            AtomicBoolean flagged = new AtomicBoolean();
            CompletableFuture<String> reply = new CompletableFuture<>();
            Thread sender = new Thread(() -> {
                reply.complete(ping(lanes, "mine"));
                flagged.set(Thread.currentThread().isInterrupted());
            });
            sender.start();
            await().until(() -> connecting.get() == 1 && rests(sender));
            long before = cpu(sender);
            for (int i = 0; i < 3; i++) {
                sender.interrupt();
                await().atMost(AN_EIGHTH.dividedBy(2)).until(() -> !sender.isInterrupted() && rests(sender));
            }
            assertThat(Duration.ofNanos(cpu(sender) - before)).isLessThan(LITTLE);
            gate.countDown();
            sender.join(TIMEOUT.toMillis());
            assertThat(reply).isCompletedWithValue("mine");
            assertThat(flagged).isTrue();
            lanes.close();
            await().until(() -> steps.open() == 0);
        }
    }

    private CombiningPool lanes(RedisServer server) {
        RedisEndpoint endpoint = Configs.endpoint(server, TIMEOUT);
        return new CombiningPool(
                "the server",
                TIMEOUT,
                () -> {
                    connecting.incrementAndGet();
                    awaitQuietly(gate);
                    connecting.decrementAndGet();
                    return PollableConnection.to(
                            steps.sockets(server.port(), (int) TIMEOUT.toMillis()),
                            JedisSockets.client(endpoint),
                            endpoint.spin());
                },
                () -> {});
    }

    private static String ping(CombiningPool lanes, String text) {
        return lanes.send(new CommandArguments(Protocol.Command.PING).add(text)).join();
    }

    /** On a thread of its own: the common pool has a single one on two processors from JDK 25 on. */
    private static void start(Runnable task) {
        new Thread(task).start();
    }

    private void connectTwo(CombiningPool lanes) {
        CompletableFuture<String> one =
                CompletableFuture.supplyAsync(() -> ping(lanes, "one"), InterruptedSenderTest::start);
        await().until(() -> connecting.get() == 1);
        CompletableFuture<String> two =
                CompletableFuture.supplyAsync(() -> ping(lanes, "two"), InterruptedSenderTest::start);
        await().until(() -> connecting.get() == 2);
        gate.countDown();
        assertThat(one.join() + two.join()).isEqualTo("onetwo");
        assertThat(steps.open()).isEqualTo(2);
    }

    /** By an error of this process, which says nothing of the other socket. */
    private void breakTheFirst(CombiningPool lanes) {
        steps.failAt(1);
        assertThatThrownBy(() -> ping(lanes, "broken off")).isInstanceOf(Exception.class);
        assertThat(steps.open()).isEqualTo(1);
    }

    private static boolean rests(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static long cpu(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
