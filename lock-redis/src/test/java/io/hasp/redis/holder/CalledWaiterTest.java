package io.hasp.redis.holder;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server's message with the token 0 calls a waiter: it asks, and believes nothing. */
class CalledWaiterTest {
    private static final Claim CLAIM =
            Claim.renewedLease(new LockName("x"), new HolderId("h"), Duration.ofSeconds(30), true);
    private static final String CALL = "h|0|1250|hasp:{x}";

    private final HolderRegistry holders = new HolderRegistry();
    private final List<Signal> signals = new ArrayList<>();

    private void receive(String message) {
        assertThat(holders.wake(GrantMessage.parse(message).orElseThrow())).isTrue();
    }

    @Test
    void a_call_makes_the_waiter_ask_and_is_no_grant() {
        holders.requesting(CLAIM, signals::add).refused(new GrantMessage.Refusal(0, 0));
        receive(CALL);
        assertThat(signals).containsExactly(Signal.MAYBE_FREE);
        assertThat(holders.directGrant(CLAIM, signals::add, 0)).isEmpty();
    }

    @Test
    void a_grant_behind_a_call_is_believed() {
        holders.requesting(CLAIM, signals::add).refused(new GrantMessage.Refusal(0, 6));
        receive(CALL);
        receive("h|7|1250|hasp:{x}");
        assertThat(holders.directGrant(CLAIM, signals::add, 0)).isPresent();
    }
}
