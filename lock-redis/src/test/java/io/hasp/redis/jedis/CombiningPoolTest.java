package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.Configs;
import io.hasp.redis.TestClient;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerError;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Many threads on few sockets. */
class CombiningPoolTest {
    private static final String ECHO =
            "if ARGV[1] == 'fail' then return redis.error_reply('BROKEN') end return ARGV[1]";
    private static final String NOTE = "redis.call('RPUSH', 'seen', ARGV[1]) return ARGV[1]";
    private static final int THREADS = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static RedisServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private JedisConnection connection;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        connection = new JedisConnection(Configs.endpoint(server, TIMEOUT));
    }

    @AfterEach
    void disconnect() {
        server.resume();
        connection.close();
        threads.shutdownNow();
    }

    private CompletionStage<String> echo(String text) {
        return connection.evaluate(Command.EVAL, ECHO, List.of(), List.of(text));
    }

    @Test
    void every_reply_reaches_its_own_sender_and_errors_only_theirs() throws Exception {
        List<Future<?>> done = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "t" + thread;
            done.add(threads.submit(() -> {
                for (int i = 0; i < 500; i++) {
                    String text = name + "-" + i;
                    assertThat(echo(text).toCompletableFuture().join()).isEqualTo(text);
                    if (i % 7 == 0) {
                        assertThatThrownBy(
                                        () -> echo("fail").toCompletableFuture().join())
                                .hasCauseInstanceOf(ServerError.class)
                                .hasMessageContaining("BROKEN");
                    }
                }
            }));
        }
        for (Future<?> one : done) {
            one.get();
        }
        assertThat(connections()).isLessThanOrEqualTo(CombiningPool.SOCKETS);
    }

    private static long connections() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("cmd=eval"))
                .count();
    }

    @Test
    void a_stopped_server_fails_all_senders_in_time_and_serves_them_again() throws Exception {
        echo("warm").toCompletableFuture().join();
        server.pause();
        long start = System.nanoTime();
        List<Future<?>> failed = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            failed.add(threads.submit(() -> assertThatThrownBy(
                            () -> echo("late").toCompletableFuture().join())
                    .hasCauseInstanceOf(BackendFailure.class)));
        }
        for (Future<?> one : failed) {
            one.get();
        }
        assertThat(System.nanoTime() - start).isLessThan(4_000_000_000L);
        server.resume();
        assertThat(echo("back").toCompletableFuture().join()).isEqualTo("back");
    }

    /** Whoever comes while the first ones wait for answers waits for a socket, and only then for an answer. */
    @Test
    void no_request_to_a_silent_server_takes_longer_than_one_timeout() throws Exception {
        echo("warm").toCompletableFuture().join();
        server.pause();
        List<Future<Duration>> calls = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < THREADS; i++) {
            long at = start + i * 2L * TIMEOUT.toNanos() / THREADS;
            calls.add(threads.submit(() -> {
                TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
                long asked = System.nanoTime();
                assertThatThrownBy(() -> echo("late").toCompletableFuture().join())
                        .hasCauseInstanceOf(BackendFailure.class);
                return Duration.ofNanos(System.nanoTime() - asked);
            }));
        }
        for (Future<Duration> one : calls) {
            assertThat(one.get()).isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(4)));
        }
    }

    /** The caller learns that the server is silent, and is not led to look for a crowd or for TLS. */
    @Test
    void who_leaves_while_a_socket_is_being_connected_is_told_so() {
        CountDownLatch over = new CountDownLatch(1);
        JedisConnection slow = new JedisConnection(Configs.endpoint(server, TIMEOUT), () -> {
            awaitQuietly(over);
            throw new JedisConnectionException("over");
        });
        try {
            BackendFailure failure = catchThrowableOfType(
                    BackendFailure.class,
                    () -> TestClient.answer(slow.evaluate(Command.EVAL, ECHO, List.of(), List.of("x"))));
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
            assertThat(failure).hasMessageEndingWith("connecting timed out");
            assertThat(RedisFailures.atConnect(slow.server(), failure)).hasMessageEndingWith("connecting timed out");
        } finally {
            over.countDown();
            slow.close();
        }
    }

    @Test
    void what_is_said_not_to_be_applied_never_reaches_the_server() throws Exception {
        echo("warm").toCompletableFuture().join();
        server.pause();
        List<Future<Outcome>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String text = "n" + i;
            calls.add(threads.submit(() -> catchThrowableOfType(
                            BackendFailure.class,
                            () -> TestClient.answer(connection.evaluate(Command.EVAL, NOTE, List.of(), List.of(text))))
                    .outcome()));
        }
        List<String> unsent = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            if (calls.get(i).get() == Outcome.NOT_APPLIED) {
                unsent.add("n" + i);
            }
        }
        server.resume();
        assertThat(echo("back").toCompletableFuture().join()).isEqualTo("back");
        List<Object> seen = new ArrayList<>((List<?>) server.command("LRANGE", "seen", "0", "-1"));
        assertThat(unsent).isNotEmpty();
        assertThat(seen).as("what was sent").isNotEmpty().doesNotContainAnyElementsOf(unsent);
    }

    @Test
    void replies_that_come_after_their_senders_have_left_reach_nobody_else() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        List<Future<?>> crowd = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "t" + thread;
            crowd.add(threads.submit(() -> {
                for (int i = 0; !over.get(); i++) {
                    String text = name + "-" + i;
                    try {
                        assertThat(TestClient.answer(echo(text))).isEqualTo(text);
                        answered.incrementAndGet();
                    } catch (BackendFailure e) {
                        failed.incrementAndGet();
                    }
                }
            }));
        }
        for (int i = 0; i < Tier.count(3, 30); i++) {
            int before = failed.get();
            server.pause();
            await().until(() -> failed.get() > before + THREADS / 2);
            server.resume();
            int after = answered.get();
            await().until(() -> answered.get() > after + THREADS);
        }
        over.set(true);
        for (Future<?> one : crowd) {
            one.get();
        }
        assertThat(echo("back").toCompletableFuture().join()).isEqualTo("back");
        await().until(() -> connections() <= CombiningPool.SOCKETS);
    }

    @Test
    void an_interrupt_while_waiting_for_a_socket_breaks_nothing_off_and_is_kept() throws Exception {
        server.pause();
        AtomicBoolean flagged = new AtomicBoolean();
        List<String> replies = new ArrayList<>();
        for (int i = 0; i < CombiningPool.SOCKETS; i++) {
            int occupied = i + 1;
            threads.submit(() -> echo("occupies a socket"));
            await().until(() -> occupied() == occupied);
        }
        Thread waiting = new Thread(() -> {
            Thread.currentThread().interrupt();
            replies.add(echo("a release").toCompletableFuture().join());
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long occupied() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().equals(PooledSocket.class.getName())
                                && frame.getMethodName().equals("exchange")))
                .count();
    }

    @Test
    void after_close_nothing_is_sent_and_no_socket_is_left() {
        echo("once").toCompletableFuture().join();
        connection.close();
        assertThatThrownBy(() -> echo("again").toCompletableFuture().join())
                .hasCauseInstanceOf(BackendFailure.class)
                .hasMessageContaining("closed");
        await().until(() -> connections() == 0);
    }
}
