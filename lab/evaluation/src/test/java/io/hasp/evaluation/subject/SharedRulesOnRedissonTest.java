package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** All rules for the read-write lock and the semaphore of Redisson. In a JVM of its own, because it takes long. */
@EnabledIfSystemProperty(
        named = "hasp.peers",
        matches = "all",
        disabledReason = "takes long: mvn verify -Pfull, or -Dhasp.peers=all")
class SharedRulesOnRedissonTest {

    @Test
    void all_rules_are_asked_and_known_faults_are_found() {
        Peers.assertFound(
                Peers.allShared("redisson-"),
                5,
                // Seen here with 4.7.0. A reader is admitted while another reads, even if a writer waits.
                tuple("rw2_writer_is_not_starved_by_readers_that_come_and_go", "redisson-rreadwritelock"),
                // Waiting readers are not notified when the writer becomes a reader.
                tuple("rw9_downgrade_lets_readers_in_and_no_writer", "redisson-rreadwritelock"),
                // Redisson #3046, #4217, #4796, #5379: permits without a lease time outlive their holder, …
                tuple("pe1_permits_are_conserved_over_many_cycles_with_kills", "redisson-semaphore"),
                tuple("pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up", "redisson-semaphore"),
                // … and those with one end under it: there is no watchdog.
                tuple("pe5_permits_are_renewed_for_as_long_as_their_clients_live", "redisson-semaphore-leased"),
                // Smaller requests are served first.
                tuple("pe3_large_request_is_not_starved_by_small_ones", "redisson-semaphore"),
                tuple("pe3_large_request_is_not_starved_by_small_ones", "redisson-semaphore-leased"));
    }
}
