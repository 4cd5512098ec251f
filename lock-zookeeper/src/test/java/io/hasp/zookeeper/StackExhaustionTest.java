package io.hasp.zookeeper;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.StackExhaustion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that locks at the end of its stack. */
@InTier(Tier.STANDARD)
@Timeout(120)
class StackExhaustionTest extends TwoClientsFixture {
    private static final int ROUNDS = Tier.count(2, 10);

    @Test
    void a_deep_recursion_of_the_program_does_not_end_the_client() throws InterruptedException {
        try (LockClient client = LockClient.connect("zookeeper://" + address())) {
            StackExhaustion.lock(client, ROUNDS);
        }
    }
}
