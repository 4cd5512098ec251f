package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** FA: what failing servers do to the callers. */
public interface FailureRules extends RuleGroup {

    /**
     * Without and with a wait.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fa11_server_that_is_down_is_an_exception_and_never_busy() throws Exception {
        Server server = faults().server();
        try (Trial trial = new Trial(subject())) {
            LockUser second = trial.user();
            trial.take(trial.user());
            server.kill();
            try {
                assertOutage(ask(trial, second, Duration.ZERO));
                assertOutage(ask(trial, second, Timings.units(5)));
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
    default void fa11_server_that_does_not_answer_is_an_exception_and_never_busy() throws Exception {
        Server server = faults().server();
        try (Trial trial = new Trial(subject())) {
            LockUser second = trial.user();
            trial.take(trial.user());
            server.pause();
            try {
                assertOutage(ask(trial, second, Duration.ZERO));
                assertOutage(ask(trial, second, Timings.units(5)));
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
    default void fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception() throws Exception {
        inTheMiddleOfAWait(Server::kill, Server::restart);
    }

    /**
     * The same for a server that just falls silent.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fa11_server_that_falls_silent_in_the_middle_of_a_wait_is_an_exception() throws Exception {
        inTheMiddleOfAWait(Server::pause, Server::resume);
    }

    /** In the middle: long enough after the beginning that the waiter has its refusal, and nothing else to learn from. */
    private void inTheMiddleOfAWait(Consumer<Server> breaking, Consumer<Server> mending) throws Exception {
        Server server = faults().server();
        try (Trial trial = new Trial(subject())) {
            LockUser second = trial.user();
            trial.take(trial.user());
            Trial.Task<Optional<Hold>> waiting = ask(trial, second, Timings.units(40));
            waiting.awaitBlocked();
            assertThatExceptionOfType(TimeoutException.class)
                    .as("the lock is held, so the second client waits")
                    .isThrownBy(() -> waiting.get(Timings.units(8)));
            breaking.accept(server);
            try {
                assertOutage(waiting);
            } finally {
                mending.accept(server);
            }
        }
    }

    /**
     * Its clients have given up when it serves what they asked.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fa4_request_that_a_stopped_server_serves_late_takes_the_lock_for_nobody() throws Exception {
        Server server = faults().server();
        try (Trial trial = new Trial(subject())) {
            LockUser asking = trial.user();
            LockUser next = trial.user();
            trial.take(asking).release();
            server.pause();
            try {
                assertOutage(ask(trial, asking, Timings.units(3)));
            } finally {
                server.resume();
            }
            assertFreedOf(trial, next, "a request that its client has given up");
        }
    }

    /**
     * What a client had prepared on the server, such as scripts, is gone; the client goes on.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fa9_client_goes_on_after_its_server_was_killed_and_started_again() throws Exception {
        Server server = faults().server();
        try (Trial trial = new Trial(subject())) {
            LockUser user = trial.user();
            LockUser second = trial.user();
            trial.take(user).release();
            server.kill();
            server.restart();
            Hold hold = assertFreedOf(trial, user, "a server that was killed and started again");
            assertThat(answer(trial, second))
                    .as("another client asks for what the first holds since the server was started again")
                    .isEmpty();
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
            trial.take(second).release();
        }
    }

    /** The first request may fail on a connection that broke. */
    private static Optional<Hold> answer(Trial trial, LockUser user) {
        return Awaitility.await("an answer")
                .atMost(Timings.longWait())
                .ignoreExceptions()
                .until(() -> user.tryAcquire(trial.lock(), Duration.ZERO), answer -> true);
    }

    /** A client may need a while to connect again, and the server to notice the end of a client. */
    private static Hold assertFreedOf(Trial trial, LockUser next, String trouble) {
        return Awaitility.await("the lock is free again after " + trouble)
                .atMost(Timings.longWait().multipliedBy(2))
                .ignoreExceptions()
                .until(() -> next.tryAcquire(trial.lock(), Timings.tolerance()), Optional::isPresent)
                .orElseThrow();
    }

    private static Trial.Task<Optional<Hold>> ask(Trial trial, LockUser user, Duration wait) {
        return trial.start(() -> user.tryAcquire(trial.lock(), wait));
    }

    private static void assertOutage(Trial.Task<Optional<Hold>> asked) throws Exception {
        try {
            Optional<Hold> answer = asked.get(Timings.longWait().plus(Timings.units(30)));
            fail(
                    answer.isPresent()
                            ? "the lock was granted without a server"
                            : "an outage was reported as 'another client holds the lock'");
        } catch (TimeoutException e) {
            fail("no answer at all during an outage, long after the wait ended");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
        }
    }
}
