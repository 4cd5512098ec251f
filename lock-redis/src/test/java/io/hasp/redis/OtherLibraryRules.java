package io.hasp.redis;

import io.hasp.conformance.Tier;
import java.util.Set;

/** The rules over another client library than the default; none is skipped in the full tier. */
interface OtherLibraryRules extends ServerClockRules {

    /** Rules about the engine alone: {@link RedisConformanceTest} runs them on the same scripts. */
    Set<String> FULL = Set.of(
            "ap2_wait_during_an_outage_ends_on_time_with_the_backends_error",
            "ap3_durations_are_rejected_or_taken_as_documented",
            "ap4_names_are_rejected_or_mapped_injectively",
            "ap5_callbacks_that_block_hold_up_nobody",
            "ap5_pool_of_one_thread_starves_nobody",
            "ap8_many_cycles_leave_threads_heap_and_the_servers_data_flat",
            "ap8_many_locks_at_once_are_all_kept_and_all_given_back",
            "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
            "fa14_deadline_counts_from_the_request_whose_answer_is_late",
            "fe5_each_thread_of_one_client_gets_its_own_larger_token",
            "fe6_stale_write_to_a_fenced_store_is_refused_once_the_next_holder_has_read",
            "fe6_store_with_two_numbers_refuses_former_holders_and_no_reader_because_of_another",
            "ke1_lease_on_a_kept_lock_ends_with_the_grant_that_it_stands_on",
            "ke3_waiter_is_not_starved_by_a_keeper_that_uses_the_lock_again_and_again",
            "ke5_client_processes_that_keep_lose_no_update_of_a_counter",
            "ke6_nothing_is_on_the_server_when_the_time_to_keep_is_over",
            "ke7_keeper_that_was_stopped_beyond_its_lease_does_not_lock_again_what_others_hold",
            "ke8_locks_of_a_keeper_that_was_killed_are_free_within_its_silence",
            "ke9_lock_that_is_deleted_while_it_is_kept_is_anothers_and_its_keeper_learns_it",
            "ke9_token_floor_is_below_every_later_token_of_a_lock_that_was_kept",
            "le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives",
            "le3_no_request_names_a_lock_after_its_release",
            "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
            "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews",
            "le7_max_hold_ends_renewal_and_the_lock",
            "le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock",
            "le10_server_clock_that_jumps_backward_prolongs_a_lease_until_its_release",
            "el6_work_of_a_leader_that_is_cut_off_is_interrupted_before_another_leads",
            "le15_work_of_a_client_that_is_cut_off_is_interrupted_before_another_holds",
            "le16_lock_stays_taken_for_as_long_as_asked_although_its_client_releases_it_or_closes",
            "li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence",
            "li2_lock_of_a_thread_that_died_is_reported_and_freed_by_max_hold",
            "li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early",
            "li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early",
            "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
            "me1_client_processes_lose_no_update_of_a_counter",
            "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token",
            "pe1_permits_are_conserved_over_many_cycles_with_kills",
            "pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up",
            "pe3_large_request_is_not_starved_by_small_ones",
            "pe3_no_small_request_that_came_after_a_large_one_is_granted_before_it",
            "pe4_permits_given_back_early_let_exactly_those_in_who_fit",
            "pe5_permits_are_renewed_for_as_long_as_their_clients_live",
            "pe7_another_kind_is_a_typed_error_and_leaves_nothing",
            "pe7_of_two_kinds_that_are_asked_for_at_once_one_is_granted_at_most",
            "rw1_client_processes_that_read_and_write_never_conflict",
            "rw2_writer_is_not_starved_by_readers_that_come_and_go",
            "rw3_no_reader_that_came_after_a_queued_writer_is_granted_before_it",
            "rw6_dead_or_stopped_reader_and_writer_are_followed_within_their_silence",
            "rw7_dead_writer_in_the_queue_blocks_no_reader_behind_it",
            "rw8_token_is_larger_than_that_of_every_earlier_grant_it_excludes",
            "rw9_downgrade_lets_readers_in_and_no_writer",
            "rw9_renewals_after_a_downgrade_shut_out_no_reader",
            "rw10_thread_that_unlocks_for_writing_first_goes_on_reading",
            "rw10_upgrade_is_a_typed_error_and_never_a_deadlock");

    /**
     * {@inheritDoc} Of the standard tier is what a library may break: answers that are lost or late, interrupts, outages, notifications,
     * and one loss of all renewals.
     */
    @Override
    default Tier tierOf(String rule) {
        return REPRESENTATIVE.contains(rule) ? Tier.FAST : FULL.contains(rule) ? Tier.FULL : Tier.STANDARD;
    }
}
