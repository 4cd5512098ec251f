package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Hand-offs between the waiters of one client. */
class HandOffTest {
    private static final int MOST = 255;

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final List<String> handedOff = new ArrayList<>();

    private LockClient client(MemoryLink to, boolean handOff) {
        LockListener listener = event -> {
            if (event instanceof LockEvent.HandedOff) {
                handedOff.add(event.lock());
            }
        };
        return LockClient.over(
                to,
                ClientOptions.defaults()
                        .handOff(handOff)
                        .addListener(listener)
                        .timing(time)
                        .executor(Runnable::run));
    }

    private static List<CompletableFuture<Lease>> waiters(LockClient client, int count) {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiters.add(client.lock("a").acquireAsync());
        }
        return waiters;
    }

    @Test
    void fe5_each_local_holder_gets_an_own_larger_token_of_the_same_grant() {
        LockClient client = client(link, true);
        List<CompletableFuture<Lease>> waiters = waiters(client, 5);
        for (int i = 0; i < 4; i++) {
            Lease lease = waiters.get(i).join();
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(waiters.get(i + 1)).isDone();
            assertThat(waiters.get(i + 1).join().fencingToken()).isEqualTo(lease.fencingToken() + 1);
            assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        }
        assertThat(handedOff).hasSize(4);
        waiters.get(4).join().release();
        assertThat(server.size()).isZero();
    }

    @Test
    void after_the_bound_in_count_a_remote_waiter_has_its_turn() {
        LockClient client = client(link, true);
        LockClient remote = client(server.link(), false);
        List<CompletableFuture<Lease>> local = waiters(client, MOST + 2);
        CompletableFuture<Lease> other = remote.lock("a").acquireAsync();
        for (int i = 0; i < MOST; i++) {
            local.get(i).join().release();
        }
        assertThat(other).isNotDone();
        local.get(MOST).join().release();
        time.advance(Duration.ofMillis(1));
        assertThat(other).isDone();
        assertThat(other.join().fencingToken())
                .isGreaterThan(local.get(MOST).join().fencingToken());
        assertThat(local.get(MOST + 1)).isNotDone();
        other.join().release();
        time.advance(Duration.ofMillis(1));
        assertThat(local.get(MOST + 1).join().fencingToken())
                .isGreaterThan(other.join().fencingToken());
    }

    @Test
    void after_the_bound_in_time_a_remote_waiter_has_its_turn() {
        LockClient client = client(link, true);
        LockClient remote = client(server.link(), false);
        List<CompletableFuture<Lease>> local = waiters(client, 3);
        CompletableFuture<Lease> other = remote.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(25));
        local.get(0).join().release();
        time.advance(Duration.ofMillis(1));
        assertThat(other).isDone();
        assertThat(local.get(1)).isNotDone();
    }

    @Test
    void a_waiter_with_another_renewed_lease_is_granted_by_the_server_and_one_with_the_same_is_not() {
        LockClient client = client(link, true);
        LockOptions brief = LockOptions.defaults().renewedLease(Duration.ofSeconds(5));
        Lease first = client.lock("a").tryAcquire().orElseThrow();
        CompletableFuture<Lease> second = client.lock("a", brief).acquireAsync();
        CompletableFuture<Lease> third = client.lock("a", brief).acquireAsync();
        first.release();
        assertThat(second).isDone();
        assertThat(handedOff).isEmpty();
        assertThat(second.join().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
        second.join().release();
        assertThat(third).isDone();
        assertThat(handedOff).containsExactly("a");
    }

    @Test
    void nothing_is_handed_over_while_a_lease_is_suspect_nor_to_or_from_a_fixed_lease() {
        LockClient client = client(link, true);
        CompletableFuture<Lease> first = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(9)))
                .acquireAsync();
        List<CompletableFuture<Lease>> waiters = waiters(client, 1);
        CompletableFuture<Lease> last = client.lock("a", LockOptions.defaults().fixedLease(Duration.ofSeconds(9)))
                .acquireAsync();
        first.join().release();
        assertThat(waiters.get(0)).isDone();
        waiters.get(0).join().release();
        assertThat(last).isDone();
        List<CompletableFuture<Lease>> afterLast = waiters(client, 2);
        last.join().release();
        link.partition();
        time.advance(Duration.ofSeconds(16));
        assertThat(afterLast.get(0).join().state()).isEqualTo(LeaseState.SUSPECT);
        afterLast.get(0).join().releaseAsync();
        assertThat(afterLast.get(1)).isNotDone();
        assertThat(handedOff).isEmpty();
        link.heal();
        time.advance(Duration.ofSeconds(2));
        assertThat(afterLast.get(1)).isDone();
    }

    @Test
    void a_lease_that_was_lost_is_not_handed_over_and_its_waiters_start_over() {
        LockClient client = client(link, true);
        List<CompletableFuture<Lease>> waiters = waiters(client, 2);
        time.pause(Duration.ofMinutes(1));
        assertThat(waiters.get(0).join().release()).isEqualTo(ReleaseResult.LOST);
        time.advance(Duration.ofSeconds(1));
        assertThat(handedOff).isEmpty();
        assertThat(waiters.get(1).join().fencingToken())
                .isGreaterThan(waiters.get(0).join().fencingToken() + 200);
    }

    @Test
    void a_handed_over_lease_is_renewed_and_lost_like_any_other() {
        LockClient client = client(link, true);
        List<CompletableFuture<Lease>> waiters = waiters(client, 2);
        waiters.get(0).join().release();
        Lease second = waiters.get(1).join();
        time.advance(Duration.ofMinutes(5));
        assertThat(second.state()).isEqualTo(LeaseState.HELD);
        server.expire("a");
        time.advance(Duration.ofSeconds(16));
        assertThat(second.state()).isEqualTo(LeaseState.LOST);
    }
}
