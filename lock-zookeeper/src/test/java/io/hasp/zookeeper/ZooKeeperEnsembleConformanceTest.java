package io.hasp.zookeeper;

import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The rules over three servers, each in a process of its own. */
class ZooKeeperEnsembleConformanceTest implements ZooKeeperConformance {
    /**
     * Rules about the client, or about one server that is reached through a proxy or not at all. The standard tier asks the rest, which
     * depends on servers that agree: exclusion, order and tokens, sessions that end, fall silent or are taken up again, and wake-ups.
     */
    private static final Set<String> FULL = Set.of(
            "ap1_interrupt_at_any_moment_leaves_nothing_held",
            "ap1_interrupt_at_any_moment_of_a_release_leaves_nothing_held",
            "ap1_interrupt_ends_a_wait_and_leaves_no_place_in_the_queue",
            "ap2_wait_during_an_outage_ends_on_time_with_the_backends_error",
            "ap2_wait_for_a_held_lock_ends_empty_and_on_time",
            "ap2_wait_of_any_length_on_a_free_lock_succeeds",
            "ap4_names_are_rejected_or_mapped_injectively",
            "ap5_callbacks_that_block_hold_up_nobody",
            "ap5_pool_of_one_thread_starves_nobody",
            "ap5_virtual_threads_all_get_their_turn",
            "ap8_many_cycles_leave_threads_heap_and_the_servers_data_flat",
            "ap8_many_locks_at_once_are_all_kept_and_all_given_back",
            "fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant",
            "fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock",
            "fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held",
            "fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone",
            "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
            "fa11_server_that_does_not_answer_is_an_exception_and_never_busy",
            "fa11_server_that_goes_down_in_the_middle_of_a_wait_is_an_exception",
            "fa11_server_that_is_down_is_an_exception_and_never_busy",
            "fa14_deadline_counts_from_the_request_whose_answer_is_late",
            "fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice",
            "fe5_each_thread_of_one_client_gets_its_own_larger_token",
            "fe6_store_with_two_numbers_refuses_former_holders_and_no_reader_because_of_another",
            "ke1_keeper_locks_again_without_a_request_and_with_a_larger_token",
            "ke1_lease_on_a_kept_lock_ends_with_the_grant_that_it_stands_on",
            "ke3_waiter_is_not_starved_by_a_keeper_that_uses_the_lock_again_and_again",
            "ke4_zero_wait_gets_a_lock_that_is_only_kept_and_no_lock_in_use",
            "ke5_client_processes_that_keep_lose_no_update_of_a_counter",
            "ke6_nothing_is_on_the_server_when_the_time_to_keep_is_over",
            "ke7_keeper_that_was_stopped_beyond_its_lease_does_not_lock_again_what_others_hold",
            "ke8_locks_of_a_keeper_that_was_killed_are_free_within_its_silence",
            "ke9_close_gives_back_what_is_kept",
            "ke9_lock_that_is_deleted_while_it_is_kept_is_anothers_and_its_keeper_learns_it",
            "ke10_keeper_that_is_not_told_of_others_keeps_a_lock_no_longer_than_it_said",
            "ke10_keeper_whose_connection_is_lost_does_not_use_or_keep_what_it_kept",
            "le2_renewal_keeps_the_lock_for_as_long_as_its_client_lives",
            "le3_no_request_names_a_lock_after_its_release",
            "le3_races_of_acquire_release_and_interrupt_leave_nothing_held",
            "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
            "le6_loss_of_a_deleted_lock_is_reported_and_the_next_acquire_works_and_renews",
            "le7_max_hold_ends_renewal_and_the_lock",
            "le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock",
            "le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up",
            "el6_work_of_a_leader_that_is_cut_off_is_interrupted_before_another_leads",
            "le15_work_of_a_client_that_is_cut_off_is_interrupted_before_another_holds",
            "li2_lock_of_a_thread_that_died_is_reported_and_freed_by_max_hold",
            "li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early",
            "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
            "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token",
            "pe1_permits_are_conserved_over_many_cycles_with_kills",
            "pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up",
            "pe3_no_small_request_that_came_after_a_large_one_is_granted_before_it",
            "pe4_permits_given_back_early_let_exactly_those_in_who_fit",
            "pe5_permits_are_renewed_for_as_long_as_their_clients_live",
            "pe7_another_kind_is_a_typed_error_and_leaves_nothing",
            "pe7_of_two_kinds_that_are_asked_for_at_once_one_is_granted_at_most",
            "pe8_outage_is_an_exception_and_never_busy",
            "rw1_client_processes_that_read_and_write_never_conflict",
            "rw2_writer_is_not_starved_by_readers_that_come_and_go",
            "rw6_dead_or_stopped_reader_and_writer_are_followed_within_their_silence",
            "rw7_dead_writer_in_the_queue_blocks_no_reader_behind_it",
            "rw9_downgrade_lets_readers_in_and_no_writer",
            "rw9_renewals_after_a_downgrade_shut_out_no_reader",
            "rw10_thread_that_unlocks_for_writing_first_goes_on_reading",
            "rw10_upgrade_is_a_typed_error_and_never_a_deadlock",
            "rw11_outage_is_an_exception_and_never_busy");

    private static final ZooKeeperEnsemble ENSEMBLE = ZooKeeperEnsemble.start();

    @Override
    public String name() {
        return "hasp-zookeeper-ensemble";
    }

    @Override
    public String scheme() {
        return "zookeeper";
    }

    @Override
    public String folder(String lock) {
        return ServerAdmin.folder(lock);
    }

    @Override
    public Server server() {
        return ENSEMBLE;
    }

    @Override
    public String connectString() {
        return ENSEMBLE.connectString();
    }

    @Override
    public int port() {
        return ENSEMBLE.servers().get(0).port();
    }

    /** {@inheritDoc} Fewer on three servers in the fast and the standard tier, where each cycle takes two writes on three servers. */
    @Override
    public int cycles() {
        return Tier.count(3_000, 100_000);
    }

    @Override
    public Tier tierOf(String rule) {
        return REPRESENTATIVE.contains(rule) ? Tier.FAST : FULL.contains(rule) ? Tier.FULL : Tier.STANDARD;
    }

    @AfterAll
    static void stop() {
        ENSEMBLE.close();
    }
}
