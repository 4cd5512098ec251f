package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.random.ServerView;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All calls of the API at random, see {@link RandomCalls}. */
@Timeout(3_600)
class RandomCallsTest {

    @Test
    void no_random_calls_break_a_promise_hang_or_leave_anything_behind() throws Exception {
        MemoryServer server = new MemoryServer(new RealClock());
        HaspSubject subject = new HaspSubject(
                        "hasp-memory", options -> LockClient.over(server.link(), options), Claimed.FIFO)
                .sharing();
        System.err.println(new RandomCalls(subject, view(server)).run());
    }

    @Test
    @InTier(Tier.STANDARD)
    void four_clients_on_one_small_executor_that_rejects_break_no_promise_and_hang_nowhere() throws Exception {
        MemoryServer server = new MemoryServer(new RealClock());
        try (SmallExecutor shared = new SmallExecutor()) {
            HaspSubject subject = new HaspSubject(
                            "hasp-memory on a small executor",
                            options -> LockClient.over(server.link(), options.executor(shared)),
                            Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, view(server)).clients(4).run());
            assertThat(shared.rejected.sum()).as("rejected tasks").isPositive();
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void clients_on_a_scheduler_that_breaks_its_contract_break_no_promise_and_hang_nowhere() throws Exception {
        MemoryServer server = new MemoryServer(new RealClock());
        try (UnreliableScheduler scheduler = new UnreliableScheduler()) {
            HaspSubject subject = new HaspSubject(
                            "hasp-memory on an unreliable scheduler",
                            options -> LockClient.over(server.link(), options.timing(scheduler)),
                            Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, view(server)).run());
            assertThat(scheduler.faults.sum()).as("faults of the scheduler").isPositive();
        }
    }

    static ServerView view(MemoryServer server) {
        return lock -> Collections.nCopies(server.present(lock), "a holder or waiter");
    }
}
