package io.hasp.redis.holder;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.LockName;
import org.junit.jupiter.api.Test;

/** When a renewal has to name the token counter. */
class HolderStateTest {
    private static final long LEASE = 30_000;

    private final HolderState holder = new HolderState(new LockName("a"), signal -> {});

    @Test
    void the_first_renewal_names_the_counter_and_later_ones_when_its_rest_is_over() {
        assertThat(holder.counterIsDue(LEASE, 5)).isTrue();

        holder.counterProlonged(LEASE, 100);

        assertThat(holder.counterIsDue(LEASE, 99)).isFalse();
        assertThat(holder.counterIsDue(LEASE, 100)).isTrue();
    }

    @Test
    void a_longer_lease_needs_a_longer_counter() {
        holder.counterProlonged(LEASE, 100);

        assertThat(holder.counterIsDue(LEASE + 1, 5)).isTrue();
    }

    @Test
    void another_server_may_not_have_the_longer_counter() {
        holder.counterProlonged(LEASE, 100);

        holder.otherServer();

        assertThat(holder.counterIsDue(LEASE, 5)).isTrue();
    }
}
