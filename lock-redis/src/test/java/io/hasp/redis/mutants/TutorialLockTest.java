package io.hasp.redis.mutants;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.rules.LockConformance;
import io.hasp.conformance.servers.RedisServer;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The lock that the mutants are made of keeps every rule about what it claims. */
final class TutorialLockTest implements LockConformance {
    private static final RedisServer REDIS = RedisServer.start();

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @Override
    public LockSubject subject() {
        return new TutorialLock(REDIS);
    }

    @Override
    public Faults faults() {
        return new RedisFaults(REDIS, TutorialLock::key);
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                "fe1_tokens_increase_strictly",
                "fe2_token_after_expiry_is_larger",
                "le2_renewal_keeps_the_lock_for_ten_leases",
                "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews");
    }
}
