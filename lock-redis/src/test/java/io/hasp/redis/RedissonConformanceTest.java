package io.hasp.redis;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The rules over the Redisson connection; none is skipped in the full tier. */
class RedissonConformanceTest implements ServerClockRules {
    private static final RedisServer REDIS = RedisServer.start();

    @Override
    public RedisServer server() {
        return REDIS;
    }

    @Override
    public Library library() {
        return Library.REDISSON;
    }

    /** {@inheritDoc} What the engine does by itself: {@link RedisConformanceTest} asks it of the same scripts. */
    @Override
    public Set<String> leftToTheFullTier() {
        return Set.of(
                "ap3_durations_are_rejected_or_taken_as_documented",
                "ap4_names_are_rejected_or_mapped_injectively",
                "ap5_callbacks_that_block_hold_up_nobody",
                "ap5_pool_of_one_thread_starves_nobody",
                "fe5_each_thread_of_one_client_gets_its_own_larger_token",
                "fe6_stale_write_to_a_fenced_store_is_refused_once_the_next_holder_has_read",
                "le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives",
                "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews",
                "le7_max_hold_ends_renewal_and_the_lock",
                "le10_server_clock_that_jumps_backward_prolongs_a_lease_until_its_release",
                "li2_lock_of_a_thread_that_died_is_reported_and_freed_by_max_hold",
                "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token");
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }
}
