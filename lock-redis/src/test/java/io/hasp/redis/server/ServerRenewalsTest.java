package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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

    /** Neighbours of a batch share texts and answers, if their leases are equal. */
    @Test
    void each_lease_of_a_batch_has_its_own_length_and_answer() {
        List<Grant> batch = Stream.of(30_000, 30_000, 10_000, 30_000, 20_000, 20_000)
                .map(Duration::ofMillis)
                .map(lease -> Grant.of(CLAIM.withLease(lease), 1, lease))
                .toList();
        connection.answers.add(CompletableFuture.completedFuture("111101"));

        List<Renewal> answers = renewals.renew(batch).toCompletableFuture().join();

        assertThat(answers)
                .extracting(answer -> answer instanceof Renewal.Renewed renewed
                        ? renewed.validity().toSeconds()
                        : 0L)
                .containsExactly(30L, 30L, 10L, 30L, 0L, 20L);
        assertThat(ServerRenewals.request(new LockKeys("hasp"), batch).arguments())
                .filteredOn(argument -> !argument.equals("h"))
                .containsExactly("30000", "30000", "10000", "30000", "20000", "20000");
    }

    /** The server refuses an empty text, and with it the whole batch. */
    @Test
    void lease_of_no_time_is_the_shortest_on_the_server() {
        Grant grant = Grant.of(CLAIM.withLease(Duration.ZERO), 1, LEASE);
        connection.answers.add(CompletableFuture.completedFuture("1"));

        assertThat(renewals.renew(List.of(grant)).toCompletableFuture().join())
                .containsExactly(new Renewal.Renewed(Duration.ofMillis(1)));
        assertThat(ServerRenewals.request(new LockKeys("hasp"), List.of(grant)).arguments())
                .containsExactly("h", "1");
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
