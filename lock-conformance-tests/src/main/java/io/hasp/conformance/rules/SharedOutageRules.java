package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.READ;
import static io.hasp.conformance.LockMode.WRITE;
import static io.hasp.conformance.LockMode.permits;
import static org.assertj.core.api.Assertions.fail;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.DisturbsServer;
import io.hasp.conformance.rules.support.LateAnswer;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.SharedRun;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** RW and PE: clients of a shared lock whose server is silent or down. */
public interface SharedOutageRules extends RuleGroup {

    /**
     * Readers and writers, while another reads and the server is down.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void rw11_outage_is_an_exception_and_never_busy() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            assertOutage(run, READ, List.of(READ, WRITE), Server::kill, Server::restart);
        }
    }

    /**
     * Requests that would fit and others, while another has permits and the server does not answer.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @DisturbsServer
    default void pe8_outage_is_an_exception_and_never_busy() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE)) {
            assertOutage(run, permits(2, 3), List.of(permits(1, 3), permits(2, 3)), Server::pause, Server::resume);
        }
    }

    private void assertOutage(
            SharedRun run, LockMode held, List<LockMode> asked, Consumer<Server> breaking, Consumer<Server> mending)
            throws Exception {
        Server server = faults().server();
        run.take(run.user(), held);
        List<LockUser> users = run.users(asked.size());
        breaking.accept(server);
        try {
            List<Task<Optional<Hold>>> answers = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                LockUser user = users.get(i);
                LockMode mode = asked.get(i);
                answers.add(run.start(() -> user.tryAcquire(run.lock(), mode, Duration.ZERO)));
                answers.add(run.start(() -> user.tryAcquire(run.lock(), mode, Timings.units(5))));
            }
            for (Task<Optional<Hold>> answer : answers) {
                assertOutage(answer);
            }
        } finally {
            mending.accept(server);
        }
    }

    private static void assertOutage(Task<Optional<Hold>> asked) throws Exception {
        try {
            Optional<Hold> answer = asked.get(Timings.longWait().plus(Timings.units(30)));
            fail(
                    answer.isPresent()
                            ? "a shared lock was granted without a server"
                            : "an outage was reported as 'others hold the lock'");
        } catch (TimeoutException e) {
            throw new LateAnswer("no answer at all during an outage, long after the wait ended", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
        }
    }
}
