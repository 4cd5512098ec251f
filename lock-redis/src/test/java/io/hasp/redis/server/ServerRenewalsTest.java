package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The client's memory of token counters that renewals have prolonged. */
class ServerRenewalsTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Claim CLAIM = Claim.renewedLease(new LockName("x"), new HolderId("h"), LEASE, false);

    private final StubConnection connection = new StubConnection();
    private final HolderRegistry holders = new HolderRegistry();
    private final StandingClock clock = new StandingClock();
    private final ServerRenewals renewals = new ServerRenewals(
            connection, new ScriptRunner(connection, clock), new LockKeys("hasp"), holders, clock, Runnable::run);
    private final HolderState holder = holders.requesting(CLAIM, signal -> {});
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    private void renew() {
        connection.answers.add(answer);
        renewals.renew(List.of(Grant.of(CLAIM, 1, LEASE)));
    }

    @Test
    void the_renewal_after_one_that_named_the_counter_leaves_it_out() {
        renew();
        assertThat(holder.counterIsDue(LEASE.toMillis(), 0)).isTrue();

        answer.complete("1");

        assertThat(holder.counterIsDue(LEASE.toMillis(), 0)).isFalse();
    }

    @Test
    void an_answer_of_the_former_server_says_nothing_about_the_counter_of_the_present_one() {
        renew();
        holders.otherServer(lock -> true);

        answer.complete("1");

        assertThat(holder.counterIsDue(LEASE.toMillis(), 0)).isTrue();
    }

    private static final class StandingClock implements Timing {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
