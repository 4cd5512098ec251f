package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Commands of one task: sent together, each with its own answer. */
class CombinedCommandsTest extends PoolFixture {
    private final List<CompletableFuture<String>> replies = new ArrayList<>();

    private void combine(String... texts) {
        connection.combiner().orElseThrow().combine(() -> {
            for (String text : texts) {
                replies.add(sendEcho(text).toCompletableFuture());
            }
            assertThat(replies).noneMatch(CompletableFuture::isDone);
        });
        assertThat(replies).allMatch(CompletableFuture::isDone);
    }

    @Test
    void are_written_at_once_and_answered_one_by_one() {
        AtomicInteger writes = new AtomicInteger();
        connection.close();
        connection = new JedisConnection(Configs.endpoint(server, TIMEOUT), counting(writes));
        echo("connected");
        int before = writes.get();
        combine("a", "b", "fail", "c");
        assertThat(writes.get() - before).isEqualTo(1);
        assertThat(replies.get(0)).isCompletedWithValue("a");
        assertThat(replies.get(1)).isCompletedWithValue("b");
        assertThat(replies.get(2).handle((reply, failure) -> failure).join()).isInstanceOf(ErrorReplyException.class);
        assertThat(replies.get(3)).isCompletedWithValue("c");
    }

    @Test
    void of_a_server_that_is_silent_are_all_unknown_after_one_timeout() {
        echo("connected");
        server.pause();
        long begin = System.nanoTime();
        combine("a", "b", "c", "d");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.multipliedBy(3));
        assertThat(replies)
                .allSatisfy(reply -> assertThat(failure(reply).outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN));
        server.resume();
        assertThat(echo("back")).isEqualTo("back");
    }

    @Test
    void of_a_closed_connection_were_not_sent() {
        echo("connected");
        connection.close();
        combine("a", "b");
        assertThat(replies)
                .allSatisfy(
                        reply -> assertThat(failure(reply).outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED));
    }

    @Test
    void whatever_follows_an_answer_runs_on_the_thread_of_the_task_and_may_send_again() {
        List<String> followers = new ArrayList<>();
        Thread mine = Thread.currentThread();
        connection
                .combiner()
                .orElseThrow()
                .combine(() -> IntStream.range(0, 3)
                        .forEach(i -> sendEcho("first " + i).thenAccept(first -> {
                            assertThat(Thread.currentThread()).isSameAs(mine);
                            followers.add(echo(first + " again"));
                        })));
        assertThat(followers).containsExactly("first 0 again", "first 1 again", "first 2 again");
    }

    @Test
    void a_task_that_fails_has_sent_what_it_made() {
        List<String> answers = new ArrayList<>();
        try {
            connection.combiner().orElseThrow().combine(() -> {
                connection
                        .evaluate(Command.EVAL, ECHO, List.of(), List.of("sent"))
                        .thenAccept(answers::add);
                throw new IllegalStateException("broken");
            });
        } catch (IllegalStateException expected) {
            answers.add("thrown");
        }
        assertThat(answers).containsExactly("sent", "thrown");
        assertThat(echo("alone")).isEqualTo("alone");
    }

    /** The thread of the task waits for another server, and is no sender for those that wait behind its command. */
    @Test
    void a_silent_server_delays_no_sender_to_another_one() throws Exception {
        Duration timeout = Duration.ofSeconds(5);
        connection.close();
        connection = new JedisConnection(Configs.endpoint(server, timeout));
        try (RedisServer silent = RedisServer.start();
                JedisConnection other = new JedisConnection(Configs.endpoint(silent, timeout))) {
            other.evaluate(Command.EVAL, ECHO, List.of(), List.of("connected"))
                    .toCompletableFuture()
                    .join();
            allSucceed(inEachThread(this::echo));
            silent.pause();
            server.pause();
            List<Future<?>> busy = new ArrayList<>();
            while (threadsOnASocket() < CombiningPool.SOCKETS) {
                int before = busy.size();
                busy.add(threads.submit(() -> echo("busy")));
                await().until(() -> threadsOnASocket() > before);
            }
            Future<?> task =
                    threads.submit(() -> connection.combiner().orElseThrow().combine(() -> {
                        other.evaluate(Command.EVAL, ECHO, List.of(), List.of("silent"));
                        sendEcho("combined");
                    }));
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
            Future<String> behind = threads.submit(() -> echo("behind"));
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);

            server.resume();

            assertThat(behind.get(2, TimeUnit.SECONDS)).isEqualTo("behind");
            silent.resume();
            task.get();
            allSucceed(busy);
        }
    }

    private static BackendFailure failure(CompletableFuture<String> reply) {
        return (BackendFailure)
                BackendFailure.causeOf(reply.handle((text, failure) -> failure).join());
    }

    private static JedisSocketFactory counting(AtomicInteger writes) {
        return () -> {
            try {
                Socket socket = new Socket() {
                    @Override
                    public OutputStream getOutputStream() throws IOException {
                        return new FilterOutputStream(super.getOutputStream()) {
                            @Override
                            public void write(byte[] bytes, int offset, int length) throws IOException {
                                writes.incrementAndGet();
                                out.write(bytes, offset, length);
                            }
                        };
                    }
                };
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 1_000);
                return socket;
            } catch (IOException e) {
                throw new JedisConnectionException(e);
            }
        };
    }
}
