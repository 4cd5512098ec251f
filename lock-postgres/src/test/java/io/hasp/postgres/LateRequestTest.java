package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of one client run on several connections, so a request that got no answer may reach the server behind later ones. */
class LateRequestTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private final PostgresServer server = PostgresServer.start();
    private final TestBackend client = TestBackend.on(PostgresBackend.on(
            PostgresConfig.of(URI.create(server.uri() + "&commandTimeout=500ms&poolSize=1&notify=poll"))));

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static Claim claim(String holder) {
        return Claim.renewedLease(new LockName("late"), new HolderId(holder), Duration.ofMinutes(9), false);
    }

    private void end(Claim claim) {
        assertThat(TestBackend.answer(client.backend().release(claim))).isEqualTo(Released.RELEASED);
    }

    /** Stops the server's process of the client's connection, and starts a request there. */
    private long stuck(Claim claim) throws Exception {
        end(client.granted(claim("first")).claim());
        long process = server.run("select pid from pg_stat_activity where application_name = 'hasp'");
        signal("STOP", process);
        assertThatThrownBy(() -> client.acquire(claim)).isInstanceOf(BackendFailure.class);
        return process;
    }

    private void arrives(long process) throws Exception {
        signal("CONT", process);
        await("the end of the process")
                .atMost(LIMIT)
                .until(() -> server.run("select count(*) from pg_stat_activity where pid = " + process) == 0);
    }

    private static void signal(String name, long process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void a_request_that_arrives_behind_the_release_of_its_holder_takes_nothing() throws Exception {
        Claim claim = claim("a");
        long process = stuck(claim);
        end(client.granted(claim).claim());
        arrives(process);
        client.granted(claim("b"));
    }

    @Test
    void a_request_that_arrives_behind_the_transfer_of_its_holder_takes_nothing() throws Exception {
        Claim claim = claim("a");
        long process = stuck(claim);
        Grant grant = client.granted(claim);
        Transfer transfer = client.backend().transfer(grant, claim("b"), signal -> {});
        assertThat(TestBackend.answer(transfer.released())).isEqualTo(Released.RELEASED);
        assertThat(TestBackend.answer(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
        end(claim("b"));
        arrives(process);
        client.granted(claim("c"));
    }

    /** It is found lost, but its first request may still arrive, when another holder has come and gone. */
    @Test
    void a_request_that_arrives_behind_the_loss_of_a_lock_that_was_to_stay_taken_takes_nothing() throws Exception {
        Claim claim = claim("a");
        long process = stuck(claim);
        client.granted(claim);
        server.run("delete from hasp_holder where holder = 'a'");
        assertThat(TestBackend.answer(client.backend().retain(claim))).isEqualTo(Released.NOT_HELD);
        end(client.granted(claim("b")).claim());
        arrives(process);
        client.granted(claim("c"));
    }

    /** The holder is released, since its first request may come late. If it asked again, this release could end its grant. */
    @Test
    void a_holder_that_is_refused_after_a_repeated_request_does_not_ask_again() {
        try (TestBackend other = TestBackend.on(server)) {
            Claim held = claim("other");
            other.granted(held);
            server.run("select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'hasp'");
            assertThat(client.acquire(claim("a"))).isInstanceOf(Attempt.Gone.class);
            assertThat(client.acquire(claim("b"))).isInstanceOf(Attempt.Busy.class);
        }
    }

    /** The listener's thread may be slower than the release. What it gives back then is not lost to the one who releases it. */
    @Test
    void a_message_of_a_grant_that_is_being_released_gives_nothing_back() throws Exception {
        try (TestBackend listening = TestBackend.on(
                PostgresBackend.on(PostgresConfig.of(URI.create(server.uri() + "&commandTimeout=30s&poolSize=3"))))) {
            listening.granted(claim("a"));
            long process = server.run("select pid from pg_stat_activity where application_name = 'hasp'"
                    + " and query like '%hasp_acquire%' order by state_change desc limit 1");
            signal("STOP", process);
            // A thread of its own: the common pool, which the backend uses here, may have one only.
            CompletableFuture<Released> release = CompletableFuture.supplyAsync(
                    () -> TestBackend.answer(listening.backend().release(claim("a"))),
                    task -> new Thread(task, "release").start());
            await("the release on its way").atMost(LIMIT).until(() -> release.isDone() || waitsForAnswer("release"));
            message("a");
            message("unknown");
            await("the return of the grant whose holder is unknown")
                    .atMost(LIMIT)
                    .until(() -> server.run("select count(*) from hasp_tombstone where holder = 'unknown'") == 1);
            signal("CONT", process);
            assertThat(release.get(30, TimeUnit.SECONDS)).isEqualTo(Released.RELEASED);
        }
    }

    private void message(String holder) {
        server.run("select length(concat(pg_notify((select max(channel) from hasp_holder), '" + holder
                + "|7|1250|late')))");
    }

    private static boolean waitsForAnswer(String method) {
        return Thread.getAllStackTraces().values().stream()
                .anyMatch(stack -> Arrays.stream(stack)
                                .anyMatch(frame -> frame.getClassName().equals(LockCalls.class.getName())
                                        && frame.getMethodName().equals(method))
                        && Arrays.stream(stack)
                                .anyMatch(frame -> frame.getMethodName().equals("executeQuery")));
    }
}
