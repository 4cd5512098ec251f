package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.rules.HaspConformance;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The rules over Redlock on five Redis processes; none is skipped. */
class RedlockConformanceTest implements HaspConformance {
    private static final RedlockServers NODES = RedlockServers.start(5);
    private static final String NAME = "hasp-redlock";

    @Override
    public HaspSubject subject() {
        return HaspSubject.at(NAME, NODES.uri());
    }

    @Override
    public Faults faults() {
        return NODES;
    }

    @Override
    public ClientJvm process(String name) {
        return ClientJvm.start(name, HaspSubjectFactory.class, NODES.uri());
    }

    /** {@inheritDoc} Fewer on five nodes that share the machine: each renewal is five. */
    @Override
    public int locksAtOnce() {
        return Tier.count(500, 1_000);
    }

    @Override
    public Tier tierOf(String rule) {
        return REPRESENTATIVE.contains(rule) ? Tier.FAST : Tier.STANDARD;
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                // A network before five nodes at once: MajorityRules disturbs the one before each instead.
                "fa14_deadline_counts_from_the_request_whose_answer_is_late",
                "fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant",
                "fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock",
                "fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held",
                "fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone",
                "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
                "fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice",
                // Redlock leaves no lock taken after its release.
                "in11_lock_that_stays_taken_is_free_after_a_break",
                "le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up",
                "le3_no_request_names_a_lock_after_its_release",
                "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
                "le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds",
                "el6_work_of_a_leader_that_is_cut_off_is_interrupted_before_another_leads",
                "le15_work_of_a_client_that_is_cut_off_is_interrupted_before_another_holds",
                "al2_locks_of_a_client_that_dies_with_some_of_them_are_free_within_its_silence",
                "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
                // Waiters leave nothing on the nodes that could be counted, and have no order.
                "ap8_many_cycles_leave_threads_heap_and_the_servers_data_flat",
                "li5_successor_of_a_waiter_that_gives_up_is_neither_lost_nor_early",
                "li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early",
                "li6_waiting_clients_are_served_in_the_order_in_which_they_asked",
                "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
                "el4_resignation_hands_over_at_once",
                "el5_of_many_candidates_one_leads_at_a_time_in_the_order_of_the_queue",
                "ow3_re_entry_keeps_one_token_and_one_hold_on_the_server_until_the_last_unlock",
                // MajorityRules has it.
                "fe3_token_after_a_restart_without_data_is_larger",
                // Not offered.
                "fe7_tokens_lie_above_a_floor_that_only_rises",
                "fe7_tokens_stay_in_order_when_the_floor_rises_among_waiters",
                "no kept locks are offered",
                "READ_WRITE is not claimed",
                "SEMAPHORE is not claimed");
    }

    @AfterAll
    static void stop() {
        NODES.close();
    }
}
