package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the lock registries of Spring Integration. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class AllRulesOnSpringTest {

    @Test
    void all_rules_are_asked_and_at_least_two_known_faults_are_found() {
        Peers.assertFound(
                Peers.all("spring-"),
                2,
                // As Redisson #1763, #5761: a missed notification, and no poll behind it.
                tuple("li3_waiter_wakes_when_the_notification_is_lost", "spring-redis"),
                // Spring Integration #1863, #1913: the wait differs from the requested one.
                tuple("ap2_zero_wait_on_a_free_lock_succeeds", "spring-zookeeper"),
                // As DistributedLock #156, #191, #242: an outage looks like contention.
                tuple("fa11_server_that_is_down_is_an_exception_and_never_busy", "spring-zookeeper"));
    }
}
