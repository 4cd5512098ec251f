package io.hasp.postgres;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hasp.conformance.Tier;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The rules without messages: waiters learn of their turn by a poll every half second. */
interface PollingConformance extends PostgresConformance {
    /** They limit the time of a hand-over between clients. */
    Set<String> FASTER_THAN_POLLS = Set.of(
            "el4_resignation_hands_over_at_once",
            "pe6_small_request_enters_when_the_large_one_before_it_gives_up",
            "pe6_waiters_that_fit_enter_with_one_release",
            "rw4_readers_that_wait_next_to_each_other_enter_with_one_release",
            "rw5_readers_enter_when_the_writer_before_them_gives_up",
            "rw9_renewals_after_a_downgrade_shut_out_no_reader");

    /** With the counts of the full tier, one turn after another takes longer than their limits. The standard tier has fewer. */
    Set<String> MANY_TURNS = Set.of(
            "al1_clients_that_ask_for_random_subsets_in_random_order_never_deadlock",
            "el5_of_many_candidates_one_leads_at_a_time_in_the_order_of_the_queue",
            "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
            "rw1_client_processes_that_read_and_write_never_conflict");

    @BeforeEach
    default void skipFasterThanPolls(TestInfo rule) {
        String name = rule.getTestMethod().orElseThrow().getName();
        assumeFalse(FASTER_THAN_POLLS.contains(name), "waiters learn of their turn by polls");
        assumeFalse(
                Tier.includes(Tier.FULL) && MANY_TURNS.contains(name),
                "by polls, the turns of the full tier take too long; the standard tier runs this rule");
    }

    @Override
    default String parameters() {
        return "&notify=poll";
    }

    @Override
    default Set<String> skips() {
        Set<String> skips = new HashSet<>(FASTER_THAN_POLLS);
        if (Tier.includes(Tier.FULL)) {
            skips.addAll(MANY_TURNS);
        }
        skips.add("no kept locks are offered");
        return skips;
    }
}
