package io.hasp.conformance.rules;

/**
 * The rules that apply to every lock. To adopt them, implement this interface in a test class:
 *
 * <pre>{@code
 * final class MyLockTest implements LockConformance {
 *     private static final RedisServer REDIS = RedisServer.start();
 *
 *     public LockSubject subject() { return new MyLock(REDIS.uri()); }
 *     public Faults faults() { return new RedisFaults(REDIS, name -> "my:" + name); }
 *     public Set<String> skips() { return Set.of("fe1_tokens_increase_strictly"); }
 *
 *     @AfterAll
 *     static void stop() { REDIS.close(); }
 * }
 * }</pre>
 */
public interface LockConformance
        extends MutualExclusionRules,
                OwnershipRules,
                FencingRules,
                FencedStoreRules,
                LivenessRules,
                QueueRules,
                CrashRules,
                LeaseRules,
                RenewalRules,
                FailureRules,
                NetworkRules,
                CallerRules,
                EnduranceRules {}
