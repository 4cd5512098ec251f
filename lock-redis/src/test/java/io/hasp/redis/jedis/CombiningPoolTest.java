package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.Configs;
import io.hasp.redis.TestClient;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** Many threads share few sockets: each gets the reply to its own command. */
@InTier(Tier.STANDARD)
class CombiningPoolTest extends PoolFixture {
    @Test
    void every_reply_reaches_its_own_sender_and_errors_only_theirs() throws Exception {
        List<Future<?>> senders = inEachThread(thread -> {
            for (int i = 0; i < 500; i++) {
                String text = thread + "-" + i;
                assertThat(echo(text)).isEqualTo(text);
                if (i % 7 == 0) {
                    assertThatThrownBy(() -> echo("fail"))
                            .hasCauseInstanceOf(ErrorReplyException.class)
                            .hasMessageContaining("BROKEN");
                }
            }
        });

        allSucceed(senders);
        assertThat(sockets()).isLessThanOrEqualTo(CombiningPool.SOCKETS);
    }

    @Test
    void replies_that_come_after_their_senders_have_left_reach_no_other_sender() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<Future<?>> senders = inEachThread(thread -> {
            for (int i = 0; !over.get(); i++) {
                String text = thread + "-" + i;
                try {
                    assertThat(TestClient.answer(sendEcho(text))).isEqualTo(text);
                    answered.incrementAndGet();
                } catch (BackendFailure e) {
                    failed.incrementAndGet();
                }
            }
        });

        for (int i = 0; i < Tier.count(3, 30); i++) {
            int failedBefore = failed.get();
            server.pause();
            await().until(() -> failed.get() > failedBefore + THREADS / 2);
            server.resume();
            int answeredBefore = answered.get();
            await().until(() -> answered.get() > answeredBefore + THREADS);
        }
        over.set(true);

        allSucceed(senders);
        assertThat(echo("back")).isEqualTo("back");
        await().until(() -> sockets() <= CombiningPool.SOCKETS);
    }

    @Test
    void an_interrupt_while_waiting_for_a_socket_breaks_nothing_off_and_is_kept() throws Exception {
        server.pause();
        occupyAllSockets();
        AtomicBoolean flagged = new AtomicBoolean();
        List<String> replies = new ArrayList<>();
        Thread waiting = new Thread(() -> {
            Thread.currentThread().interrupt();
            replies.add(echo("a release"));
            flagged.set(Thread.currentThread().isInterrupted());
        });

        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        server.resume();
        waiting.join(5_000);

        assertThat(replies).containsExactly("a release");
        assertThat(flagged).isTrue();
    }

    @Test
    void after_close_nothing_is_sent_and_no_socket_is_left() {
        echo("once");
        connection.close();

        assertThatThrownBy(() -> echo("again"))
                .hasCauseInstanceOf(BackendFailure.class)
                .hasMessageContaining("closed");
        await().until(() -> sockets() == 0);
    }

    /** With commands that the paused server does not answer, one for each socket. */
    private void occupyAllSockets() {
        for (int i = 0; i < CombiningPool.SOCKETS; i++) {
            int occupied = i + 1;
            threads.submit(() -> sendEcho("occupies a socket"));
            await().until(() -> threadsOnASocket() == occupied);
        }
    }

    /** The number of this pool's connections at the server. */
    private static long sockets() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("cmd=eval"))
                .count();
    }

    /** The master may become another one after the socket was checked. */
    @Test
    void nothing_is_sent_on_a_socket_to_a_server_that_was_left_while_it_was_connected() {
        RedisEndpoint endpoint = Configs.endpoint(server, TIMEOUT);
        AtomicInteger connected = new AtomicInteger();
        AtomicReference<@Nullable CombiningPool> mine = new AtomicReference<>();
        Supplier<PollableConnection> connect =
                JedisSockets.connecting(endpoint, JedisSockets.of(endpoint), Duration.ZERO);
        CombiningPool pool = new CombiningPool(
                "the server",
                TIMEOUT,
                () -> {
                    PollableConnection socket = connect.get();
                    if (connected.incrementAndGet() == 1) {
                        Objects.requireNonNull(mine.get()).cutSockets();
                    }
                    return socket;
                },
                () -> {});
        mine.set(pool);
        try {
            CommandArguments ping = new CommandArguments(Protocol.Command.PING).add("text");
            assertThatThrownBy(() -> pool.send(ping).join())
                    .hasCauseInstanceOf(BackendFailure.class)
                    .hasMessageContaining("another by now");
            assertThat(pool.send(new CommandArguments(Protocol.Command.PING).add("again"))
                            .join())
                    .isEqualTo("again");
        } finally {
            pool.close();
        }
    }
}
