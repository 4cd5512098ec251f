package io.hasp.redis.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.redis.Configs;
import io.hasp.redis.TestClient;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** No command waits longer than the timeout, for a socket and a reply together; the failure says whether it was sent. */
@InTier(Tier.STANDARD)
class CombiningPoolTimeoutTest extends PoolFixture {
    private static final String APPEND_TO_SEEN = "redis.call('RPUSH', 'seen', ARGV[1]) return ARGV[1]";
    private static final int LARGE = 16 << 20;

    private final MachineLateness lateness = new MachineLateness();

    @AfterEach
    void measureNoMore() {
        lateness.close();
    }

    @Test
    void a_stopped_server_fails_all_senders_in_time_and_serves_them_again() throws Exception {
        echo("connects");
        server.pause();
        long start = System.nanoTime();

        allSucceed(inEachThread(thread -> assertFails("late")));
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(TIMEOUT.multipliedBy(4).plus(lateness.allowance()));

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
            assertThat(call.get()).isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(4)).plus(lateness.allowance()));
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
            assertThat(timeOfFailure("small"))
                    .isLessThan(TIMEOUT.plus(TIMEOUT.dividedBy(4)).plus(lateness.allowance()));
        }

        assertThat(stuck.get(10, TimeUnit.SECONDS))
                .isLessThan(TIMEOUT.multipliedBy(3).plus(lateness.allowance()));
    }

    @Test
    void close_breaks_off_a_command_that_a_silent_server_does_not_take() throws Exception {
        echo("connects");
        server.pause();
        Future<Duration> stuck = threads.submit(() -> timeOfFailure("x".repeat(LARGE)));
        await().until(() -> threadsOnASocket() == 1);
        assertFails("after a timeout");

        connection.close();

        assertThat(stuck.get(10, TimeUnit.SECONDS))
                .isLessThan(TIMEOUT.multipliedBy(3).plus(lateness.allowance()));
    }

    private Duration timeOfFailure(String text) {
        long start = System.nanoTime();
        assertFails(text);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The message names the connection: neither contention nor TLS is the cause. */
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

    private Outcome outcomeOfAppending(String text) {
        return catchThrowableOfType(
                        BackendFailure.class,
                        () -> TestClient.answer(
                                connection.evaluate(Command.EVAL, APPEND_TO_SEEN, List.of(), List.of(text))))
                .outcome();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
