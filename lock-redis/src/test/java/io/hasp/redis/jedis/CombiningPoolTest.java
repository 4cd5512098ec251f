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
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Many threads share few sockets: each gets the reply to its own command, and none waits for longer than the timeout. The server
 * is a real one that is paused and resumed; most commands are an echo, so that a reply shows whose it is.
 */
class CombiningPoolTest {
    private static final String ECHO =
            "if ARGV[1] == 'fail' then return redis.error_reply('BROKEN') end return ARGV[1]";
    private static final String APPEND_TO_SEEN = "redis.call('RPUSH', 'seen', ARGV[1]) return ARGV[1]";
    private static final int THREADS = 64;
    private static final int LARGE = 16 << 20;
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

    @Test
    void every_reply_reaches_its_own_sender_and_errors_only_theirs() throws Exception {
        List<Future<?>> senders = inEachThread(thread -> {
            for (int i = 0; i < 500; i++) {
                String text = thread + "-" + i;
                assertThat(echo(text)).isEqualTo(text);
                if (i % 7 == 0) {
                    assertThatThrownBy(() -> echo("fail"))
                            .hasCauseInstanceOf(ServerError.class)
                            .hasMessageContaining("BROKEN");
                }
            }
        });

        allSucceed(senders);
        assertThat(sockets()).isLessThanOrEqualTo(CombiningPool.SOCKETS);
    }

    @Test
    void a_stopped_server_fails_all_senders_in_time_and_serves_them_again() throws Exception {
        echo("connects");
        server.pause();
        long start = System.nanoTime();

        allSucceed(inEachThread(thread -> assertFails("late")));
        assertThat(System.nanoTime() - start).isLessThan(4_000_000_000L);

        server.resume();
        assertThat(echo("back")).isEqualTo("back");
    }

    /** A sender that comes while others wait for replies waits first for a socket and then for its reply: both in one timeout. */
    @Test
    void no_request_to_a_silent_server_takes_longer_than_one_timeout() throws Exception {
        echo("connects");
        server.pause();
        List<Future<Duration>> calls = new ArrayList<>();
        long start = System.nanoTime();

        for (int i = 0; i < THREADS; i++) {
            long at = start + i * 2L * TIMEOUT.toNanos() / THREADS;
            calls.add(threads.submit(() -> {
                TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
                long asked = System.nanoTime();
                assertFails("late");
                return Duration.ofNanos(System.nanoTime() - asked);
            }));
        }

        for (Future<Duration> call : calls) {
            assertThat(call.get()).isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(4)));
        }
    }

    /** More than the buffers of a socket hold: the write has no timeout of its own. */
    @Test
    void a_command_that_a_silent_server_does_not_take_is_broken_off_by_the_next_ones() throws Exception {
        echo("connects");
        server.pause();
        Future<Duration> stuck = threads.submit(() -> timeOfFailure("x".repeat(LARGE)));
        await().until(() -> threadsOnASocket() == 1);

        for (int i = 0; i < 3; i++) {
            assertThat(timeOfFailure("small")).isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(4)));
        }

        assertThat(stuck.get(1, TimeUnit.SECONDS)).isLessThan(TIMEOUT.multipliedBy(3));
    }

    @Test
    void close_breaks_off_a_command_that_a_silent_server_does_not_take() throws Exception {
        echo("connects");
        server.pause();
        Future<Duration> stuck = threads.submit(() -> timeOfFailure("x".repeat(LARGE)));
        await().until(() -> threadsOnASocket() == 1);
        assertFails("after a timeout");

        connection.close();

        assertThat(stuck.get(1, TimeUnit.SECONDS)).isLessThan(TIMEOUT.multipliedBy(3));
    }

    private Duration timeOfFailure(String text) {
        long start = System.nanoTime();
        assertFails(text);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The message names the connection, so that nobody looks for contention or for TLS. */
    @Test
    void a_sender_that_times_out_while_its_socket_is_being_connected_is_told_so() {
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
    void a_command_that_is_reported_as_not_applied_never_reaches_the_server() throws Exception {
        echo("connects");
        server.pause();
        List<Future<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String text = "n" + i;
            outcomes.add(threads.submit(() -> outcomeOfAppending(text)));
        }

        List<String> notApplied = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            if (outcomes.get(i).get() == Outcome.NOT_APPLIED) {
                notApplied.add("n" + i);
            }
        }

        server.resume();
        assertThat(echo("back")).isEqualTo("back");
        List<Object> seen = new ArrayList<>((List<?>) server.command("LRANGE", "seen", "0", "-1"));
        assertThat(notApplied).isNotEmpty();
        assertThat(seen).as("what was sent").isNotEmpty().doesNotContainAnyElementsOf(notApplied);
    }

    @Test
    void replies_that_come_after_their_senders_have_left_reach_nobody_else() throws Exception {
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

    private CompletionStage<String> sendEcho(String text) {
        return connection.evaluate(Command.EVAL, ECHO, List.of(), List.of(text));
    }

    private String echo(String text) {
        return sendEcho(text).toCompletableFuture().join();
    }

    private void assertFails(String text) {
        assertThatThrownBy(() -> echo(text)).hasCauseInstanceOf(BackendFailure.class);
    }

    private Outcome outcomeOfAppending(String text) {
        return catchThrowableOfType(
                        BackendFailure.class,
                        () -> TestClient.answer(
                                connection.evaluate(Command.EVAL, APPEND_TO_SEEN, List.of(), List.of(text))))
                .outcome();
    }

    /** Runs the same in {@link #THREADS} threads, each with a name of its own. */
    private List<Future<?>> inEachThread(Consumer<String> work) {
        List<Future<?>> started = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "t" + thread;
            started.add(threads.submit(() -> work.accept(name)));
        }
        return started;
    }

    private static void allSucceed(List<Future<?>> started) throws Exception {
        for (Future<?> one : started) {
            one.get();
        }
    }

    /** With commands that the paused server does not answer, one for each socket. */
    private void occupyAllSockets() {
        for (int i = 0; i < CombiningPool.SOCKETS; i++) {
            int occupied = i + 1;
            threads.submit(() -> sendEcho("occupies a socket"));
            await().until(() -> threadsOnASocket() == occupied);
        }
    }

    private static long threadsOnASocket() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().equals(PooledSocket.class.getName())
                                && frame.getMethodName().equals("exchange")))
                .count();
    }

    /** How many connections the server has of this pool. */
    private static long sockets() {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("cmd=eval"))
                .count();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
