package io.hasp.postgres;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.random.RandomCalls;
import io.hasp.conformance.servers.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All calls of the API at random, see {@link RandomCalls}. */
@Timeout(600)
@InTier(Tier.STANDARD)
class RandomCallsTest {

    @Test
    void no_random_calls_break_a_promise_hang_or_leave_anything_behind() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            HaspSubject subject = HaspSubject.at("hasp-postgres", postgres.uri(), Claimed.FIFO)
                    .sharing();
            System.err.println(new RandomCalls(subject, lock -> {
                        int present = new PostgresFaults(postgres).present(lock);
                        return present == 0 ? List.of() : List.of(present + " holders and waiters of " + lock);
                    })
                    .run());
        }
    }
}
