package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.Registration;
import io.hasp.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A {@code try} block whose lease was lost does not end as if it had been alone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LossAtTheEndOfABlockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final LockClient client =
            LockClient.over(server.link(), ClientOptions.defaults().timing(time).executor(Runnable::run));

    private Lease lease() {
        return client.lock("a").tryAcquire().orElseThrow();
    }

    private void lose() {
        server.expire("a");
        time.advance(MINUTE);
    }

    @Test
    void a_loss_during_the_block_is_thrown_at_its_end() {
        Lease held = lease();
        assertThatThrownBy(() -> {
                    try (held) {
                        lose();
                    }
                })
                .isInstanceOfSatisfying(LeaseLostException.class, loss -> {
                    assertThat(loss.lockName()).contains("a");
                    assertThat(loss.fencingToken()).hasValue(held.fencingToken());
                });
    }

    @Test
    void a_loss_that_only_the_release_finds_is_thrown_too() {
        Lease held = lease();
        assertThatThrownBy(() -> {
                    try (held) {
                        server.expire("a");
                    }
                })
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void the_blocks_own_exception_stays_and_the_loss_is_suppressed_in_it() {
        Lease held = lease();
        assertThatThrownBy(() -> {
                    try (held) {
                        lose();
                        throw new IllegalStateException("the block's own");
                    }
                })
                .hasMessage("the block's own")
                .satisfies(
                        own -> assertThat(own.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
    }

    @Test
    void the_end_of_the_client_by_closeNow_is_a_loss_to_the_block() {
        Lease held = lease();
        assertThatThrownBy(() -> {
                    try (held) {
                        client.closeNow();
                    }
                })
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("closeNow()");
    }

    @Test
    void a_loss_is_reported_once() {
        Lease held = lease();
        lose();
        assertThatThrownBy(held::close).isInstanceOf(LeaseLostException.class);
        assertThatCode(held::close).doesNotThrowAnyException();
        Lease released = lease();
        lose();
        assertThat(released.release()).isEqualTo(ReleaseResult.LOST);
        assertThatCode(released::close).doesNotThrowAnyException();
    }

    @Test
    void a_block_without_a_loss_ends_quietly() {
        Lease held = lease();
        try (held) {
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
        }
        assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void closeAsync_fails_with_the_loss() {
        Lease held = lease();
        assertThat(held.closeAsync()).succeedsWithin(Duration.ZERO);
        Lease lost = lease();
        lose();
        assertThat(lost.closeAsync())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_released_lease_and_a_lost_one_are_told_apart() {
        Lease released = lease();
        released.release();
        assertThatThrownBy(released::ensureHeld)
                .isInstanceOf(IllegalStateException.class)
                .isInstanceOfSatisfying(LeaseReleasedException.class, thrown -> {
                    assertThat(thrown.lockName()).contains("a");
                    assertThat(thrown.fencingToken()).hasValue(released.fencingToken());
                });
        assertThatThrownBy(() -> released.run(lease -> {})).isInstanceOf(LeaseReleasedException.class);
        Lease lost = lease();
        lose();
        assertThatThrownBy(lost::ensureHeld).isInstanceOf(LeaseLostException.class);
        lost.release();
        assertThatThrownBy(lost::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_registration_that_was_closed_receives_no_more_changes() {
        Lease held = lease();
        List<LeaseState> first = new CopyOnWriteArrayList<>();
        List<LeaseState> second = new CopyOnWriteArrayList<>();
        Registration registration = held.onChange(Runnable::run, first::add);
        held.onChange(Runnable::run, second::add);
        registration.close();
        registration.close();
        held.release();
        assertThat(first).isEmpty();
        assertThat(second).containsExactly(LeaseState.RELEASED);
    }
}
