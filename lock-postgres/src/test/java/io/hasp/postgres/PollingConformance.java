package io.hasp.postgres;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

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

    @BeforeEach
    default void skipFasterThanPolls(TestInfo rule) {
        assumeFalse(
                FASTER_THAN_POLLS.contains(rule.getTestMethod().orElseThrow().getName()),
                "waiters learn of their turn by polls");
    }

    @Override
    default String parameters() {
        return "&notify=poll";
    }

    @Override
    default Set<String> skips() {
        Set<String> skips = new HashSet<>(FASTER_THAN_POLLS);
        skips.add("no kept locks are offered");
        return skips;
    }
}
