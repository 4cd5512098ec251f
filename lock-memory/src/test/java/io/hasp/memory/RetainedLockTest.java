package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lock that is taken for at least a minute stays taken for a minute, whatever becomes of its lease. */
class RetainedLockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final LockOptions AT_LEAST = LockOptions.defaults().takenAtLeast(MINUTE);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final MemoryLink link = server.link();
    private final ClientOptions plain = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final LockClient client = LockClient.over(link, plain.keep(Duration.ofSeconds(3)));
    private final LockClient other = LockClient.over(server.link(), plain);

    @AfterEach
    void close() {
        link.heal();
        client.closeNow();
        other.closeNow();
    }

    private boolean free(LockClient asked) {
        return asked.lock("job").tryAcquire().map(Lease::release).isPresent();
    }

    private void assertTakenFor(Duration left) {
        time.advance(left.minus(MOMENT));
        assertThat(free(other)).as("free a moment before that time is over").isFalse();
        assertThat(free(client)).isFalse();
        time.advance(MOMENT.multipliedBy(2));
        assertThat(free(other)).as("free a moment after").isTrue();
    }

    @Test
    void a_release_leaves_the_lock_taken_until_the_time_is_over() throws Exception {
        Lease lease = client.lock("job", AT_LEAST).acquire();
        time.advance(Duration.ofSeconds(10));
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertTakenFor(Duration.ofSeconds(50));
    }

    @Test
    void work_that_takes_longer_leaves_the_lock_free() throws Exception {
        Lease lease = client.lock("job", AT_LEAST).acquire();
        time.advance(Duration.ofMinutes(10));
        assertThat(lease.state()).as("it is renewed").isEqualTo(LeaseState.HELD);
        lease.release();
        assertThat(free(other)).isTrue();
    }

    @Test
    void nobody_is_handed_a_lock_that_has_to_stay_taken() throws Exception {
        Lease lease = client.lock("job", AT_LEAST).acquire();
        CompletableFuture<Lease> waiting = client.lock("job").acquireAsync();
        lease.release();
        time.advance(MINUTE.minus(MOMENT));
        assertThat(waiting).isNotDone();
        time.advance(MOMENT.multipliedBy(2));
        assertThat(waiting).isCompleted();
        assertThat(waiting.join().fencingToken()).isGreaterThan(lease.fencingToken());
        CompletableFuture<Lease> next = client.lock("job", AT_LEAST).acquireAsync();
        waiting.join().release();
        assertThat(next).as("a grant of its own, for the whole time").isCompleted();
        next.join().release();
        assertTakenFor(MINUTE);
    }

    @Test
    void work_that_takes_longer_hands_its_grant_to_nobody_either() throws Exception {
        Lease lease = client.lock("job", AT_LEAST.renewedLease(MINUTE)).acquire();
        CompletableFuture<Lease> waiting =
                client.lock("job", LockOptions.defaults().renewedLease(MINUTE)).acquireAsync();
        time.advance(Duration.ofMinutes(10));
        lease.release();
        assertThat(waiting).isCompleted();
        assertThat(serverToken(waiting.join())).isGreaterThan(serverToken(lease));
    }

    /** Leases on one grant of the server differ in the rest of their token. */
    private static long serverToken(Lease lease) {
        return lease.fencingToken() >> 8;
    }

    @Test
    void the_end_of_the_client_leaves_the_lock_taken() throws Exception {
        assertThat(client.lock("job", AT_LEAST).acquire().state()).isEqualTo(LeaseState.HELD);
        client.close();
        time.advance(MINUTE.minus(MOMENT));
        assertThat(free(other)).isFalse();
        time.advance(MOMENT.multipliedBy(2));
        assertThat(free(other)).isTrue();
    }

    @Test
    void a_release_that_is_not_answered_is_not_repeated_and_the_lock_ends_with_its_lease() throws Exception {
        Lease lease = client.lock("job", AT_LEAST).acquire();
        CompletableFuture<ReleaseResult> release;
        link.partition();
        release = lease.releaseAsync();
        time.advance(MOMENT);
        assertThat(release).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(BackendException.class);
        link.heal();
        time.advance(MINUTE.minus(MOMENT.multipliedBy(2)));
        assertThat(free(other)).isFalse();
        time.advance(MOMENT.multipliedBy(2));
        assertThat(free(other)).isTrue();
    }

    @Test
    void a_lease_that_is_lost_leaves_the_lock_taken() throws Exception {
        LockOptions brief = AT_LEAST.maxHold(Duration.ofSeconds(5));
        Lease lease = client.lock("job", brief).acquire();
        time.advance(Duration.ofSeconds(6));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertTakenFor(MINUTE.minusSeconds(6));
    }

    @Test
    void a_client_that_dies_leaves_it_taken_until_its_lease_ends() throws Exception {
        assertThat(client.lock("job", AT_LEAST).acquire().remaining()).isGreaterThan(MINUTE.minus(MOMENT));
        link.partition();
        time.advance(MINUTE.minus(MOMENT));
        assertThat(free(other)).isFalse();
        time.advance(MOMENT.multipliedBy(2));
        assertThat(free(other)).isTrue();
    }

    @Test
    void what_can_not_be_is_refused() {
        assertThatThrownBy(() -> client.readWriteLock("rw", AT_LEAST))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage("'rw' can't be a read-write lock with takenAtLeast=PT1M: that is for exclusive locks");
        assertThatThrownBy(() -> client.semaphore("s", 2, AT_LEAST)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> LockOptions.defaults().takenAtLeast(Duration.ofMillis(1)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("takenAtLeast is PT0.001S");
        assertThat(AT_LEAST).hasToString("the client's renewed lease, taken for at least PT1M");
        assertThat(client.capabilities().retainedLocks()).isTrue();
    }
}
