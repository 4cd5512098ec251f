package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** FE7: a lock that moves to another backend takes its tokens along. For Hasp's own API. */
public interface TokenFloorRules extends RuleGroup {
    /** Beyond the present tokens of every backend, and within the numbers that each can count to. */
    long FLOOR = 1L << 60;

    @Override
    HaspSubject subject();

    /**
     * Every later token lies above the floor, whichever client gets it, and a lower floor changes nothing.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe7_tokens_lie_above_a_floor_that_only_rises() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient first = subject().connect();
                LockClient second = subject().connect()) {
            raise(first, name, FLOOR);
            long token = tokenOf(first, name);
            assertThat(token).as("token above the floor").isGreaterThan(FLOOR);
            raise(second, name, 5);
            long later = tokenOf(second, name);
            assertThat(later).as("token of another client").isGreaterThan(token);
            raise(second, name, later + 1_000_000);
            assertThat(tokenOf(first, name)).as("token above the next floor").isGreaterThan(later + 1_000_000);
            assertThatExceptionOfType(InvalidArgumentException.class)
                    .isThrownBy(() -> first.lock(name).raiseTokenFloor(-1))
                    .withMessageContaining("-1");
        }
    }

    /**
     * A floor that is raised while clients hold and wait disturbs neither them nor the order of their tokens.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe7_tokens_stay_in_order_when_the_floor_rises_among_waiters() throws Exception {
        String name = "rule-" + UUID.randomUUID();
        try (LockClient first = subject().connect();
                LockClient second = subject().connect();
                LockClient third = subject().connect()) {
            Lease held = first.lock(name).acquire();
            CompletableFuture<Lease> early = second.lock(name).acquireAsync();
            assertThat(third.lock(name).tryAcquire(Duration.ofMillis(200))).isEmpty();
            raise(third, name, FLOOR);
            CompletableFuture<Lease> late = third.lock(name).acquireAsync();
            long token = held.fencingToken();
            held.release();
            for (int i = 0; i < 2; i++) {
                Lease next = (Lease) CompletableFuture.anyOf(early, late).get(20, TimeUnit.SECONDS);
                assertThat(next.fencingToken()).as("the next holder's token").isGreaterThan(token);
                token = next.fencingToken();
                if (next == late.getNow(null)) {
                    assertThat(token).as("of who came after the floor").isGreaterThan(FLOOR);
                    late = new CompletableFuture<>();
                } else {
                    early = new CompletableFuture<>();
                }
                next.release();
            }
        }
    }

    private static void raise(LockClient client, String name, long floor) {
        try {
            client.lock(name).raiseTokenFloor(floor);
        } catch (UnsupportedCapabilityException e) {
            throw new TestAbortedException("no token floor is offered", e);
        }
    }

    private static long tokenOf(LockClient client, String name) throws InterruptedException {
        try (Lease lease = client.lock(name).acquire()) {
            return lease.fencingToken();
        }
    }
}
