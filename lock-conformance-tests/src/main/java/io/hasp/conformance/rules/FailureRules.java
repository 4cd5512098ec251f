package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.LateAnswer;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** FA: the effects of failing servers on callers. */
public interface FailureRules extends RuleGroup {

    /**
     * Without and with a wait.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa11_server_that_is_down_is_an_exception_and_never_busy() throws Exception {
        Server server = faults().server();
        try (RuleRun run = new RuleRun(subject())) {
            LockUser second = run.user();
            run.take(run.user());
            server.kill();
            try {
                assertOutage(ask(run, second, Duration.ZERO));
                assertOutage(ask(run, second, Timings.units(5)));
            } finally {
                server.restart();
            }
        }
    }

    /**
     * Without and with a wait.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa11_server_that_does_not_answer_is_an_exception_and_never_busy() throws Exception {
        Server server = faults().server();
        try (RuleRun run = new RuleRun(subject())) {
            LockUser second = run.user();
            run.take(run.user());
            server.pause();
            try {
                assertOutage(ask(run, second, Duration.ZERO));
                assertOutage(ask(run, second, Timings.units(5)));
            } finally {
                server.resume();
            }
        }
    }

    /**
     * The waiter has been refused by a healthy server, and learns that there is none any more.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception() throws Exception {
        inTheMiddleOfAWait(Server::kill, Server::restart);
    }

    /**
     * The same for a server that just falls silent.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa11_server_that_falls_silent_in_the_middle_of_a_wait_is_an_exception() throws Exception {
        inTheMiddleOfAWait(Server::pause, Server::resume);
    }

    /** In the middle: long enough after the beginning that the waiter has its refusal, and nothing else to learn from. */
    private void inTheMiddleOfAWait(Consumer<Server> breaking, Consumer<Server> mending) throws Exception {
        Server server = faults().server();
        try (RuleRun run = new RuleRun(subject())) {
            LockUser second = run.user();
            run.take(run.user());
            RuleRun.Task<Optional<Hold>> waiting = ask(run, second, Timings.units(40));
            waiting.awaitBlocked();
            assertThatExceptionOfType(TimeoutException.class)
                    .as("the lock is held, so the second client waits")
                    .isThrownBy(() -> waiting.get(Timings.units(4)));
            breaking.accept(server);
            try {
                assertOutage(waiting);
            } finally {
                mending.accept(server);
            }
        }
    }

    /**
     * Its clients have given up when the server executes their requests.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa4_request_that_a_stopped_server_serves_late_takes_the_lock_for_nobody() throws Exception {
        Server server = faults().server();
        try (RuleRun run = new RuleRun(subject())) {
            LockUser asking = run.user();
            LockUser next = run.user();
            run.take(asking).release();
            server.pause();
            try {
                assertOutage(ask(run, asking, Timings.units(3)));
            } finally {
                server.resume();
            }
            assertFreedOf(run, next, "a request that its client has given up");
        }
    }

    /**
     * State that a client had prepared on the server, such as scripts, is gone; the client continues.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void fa9_client_goes_on_after_its_server_was_killed_and_started_again() throws Exception {
        Server server = faults().server();
        try (RuleRun run = new RuleRun(subject())) {
            LockUser user = run.user();
            LockUser second = run.user();
            run.take(user).release();
            server.kill();
            server.restart();
            Hold hold = assertFreedOf(run, user, "a server that was killed and started again");
            assertThat(answer(run, second))
                    .as("another client asks for what the first holds since the server was started again")
                    .isEmpty();
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            run.take(second).release();
        }
    }

    /** The first request may fail on a connection that broke. */
    private static Optional<Hold> answer(RuleRun run, LockUser user) {
        return Awaitility.await("an answer")
                .atMost(Timings.longWait())
                .ignoreExceptions()
                .until(() -> user.tryAcquire(run.lock(), Duration.ZERO), answer -> true);
    }

    /** A client may need a while to connect again, and the server to notice the end of a client. */
    private static Hold assertFreedOf(RuleRun run, LockUser next, String trouble) {
        return Awaitility.await("the lock is free again after " + trouble)
                .atMost(Timings.longWait().multipliedBy(2))
                .ignoreExceptions()
                .until(() -> next.tryAcquire(run.lock(), Timings.tolerance()), Optional::isPresent)
                .orElseThrow();
    }

    private static RuleRun.Task<Optional<Hold>> ask(RuleRun run, LockUser user, Duration wait) {
        return run.start(() -> user.tryAcquire(run.lock(), wait));
    }

    private static void assertOutage(RuleRun.Task<Optional<Hold>> asked) throws Exception {
        try {
            Optional<Hold> answer = asked.get(Timings.longWait().plus(Timings.units(30)));
            fail(
                    answer.isPresent()
                            ? "the lock was granted without a server"
                            : "an outage was reported as 'another client holds the lock'");
        } catch (TimeoutException e) {
            throw new LateAnswer("no answer at all during an outage, long after the wait ended", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
        }
    }
}
