package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the group EL finds an election that breaks it, in that rule's words, while a control rule stays green. */
@InTier(Tier.STANDARD)
class BrokenElectionsTest {
    private static final int AT_ONCE = 3;
    private static final String CANDIDATE = "Candidate.java";
    private static final String DRIVER = "CandidateDriver.java";
    private static final String STATE = "CandidateState.java";
    private static final String NEXT = "        return workFailed ? Step.PAUSE : Step.ASK;";
    private static final String HAND_OVER = "        ended.lease().giveBackAsync().whenComplete(";

    private record Case(SourceMutant mutant, String rule, String words) {
        static Case of(String flaw, String file, String original, String replacement, String rule, String words) {
            return new Case(new SourceMutant(flaw, file, original, replacement), rule, words);
        }
    }

    @TestFactory
    Stream<DynamicTest> each_rule_finds_the_election_that_breaks_it() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (Case one : cases()) {
                Future<@Nullable Throwable> found = threads.submit(() -> found(one));
                tests.add(DynamicTest.dynamicTest(
                        one.mutant().name() + ": " + one.rule(),
                        () -> assertThat(found.get())
                                .as("what the rule finds")
                                .isNotNull()
                                .hasMessageContaining(one.words())));
            }
        } finally {
            threads.shutdown();
        }
        return tests.stream();
    }

    private static @Nullable Throwable found(Case one) throws Exception {
        Method ask = new MutantLoader(one.mutant())
                .loadClass(AskedRule.class.getName())
                .getDeclaredMethod("broken", String.class, String.class);
        ask.setAccessible(true);
        return (Throwable) ask.invoke(null, one.rule(), one.words());
    }

    private static List<Case> cases() {
        return List.of(
                Case.of(
                        "a term outlives its lease",
                        "Term.java",
                        "return state == LeaseState.LOST || state == LeaseState.RELEASED;",
                        "return false;",
                        "el3_leader_that_stood_still_learns_of_its_end_at_its_first_look",
                        "assumes that it leads, while another candidate leads"),
                Case.of(
                        "a term outlives its lease, in a run of terms",
                        "Term.java",
                        "        LeaseState state = lease.state();\n",
                        "        LeaseState state = LeaseState.HELD;\n",
                        "el1_terms_never_overlap_by_the_leaders_clocks",
                        "no two clients assume the lock at once"),
                Case.of(
                        "a candidate caches its leadership",
                        CANDIDATE,
                        "return now == null || now.ended() ?",
                        "return now == null ?",
                        "el3_leader_that_stood_still_learns_of_its_end_at_its_first_look",
                        "assumes that it leads, while another candidate leads"),
                Case.of(
                        "a lock is handed over before the work is interrupted",
                        DRIVER,
                        "            working.stop();\n",
                        "            leave(working.term(), false);\n            working.stop();\n",
                        "el6_work_of_a_leader_that_resigned_ends_before_another_leads",
                        "while the work of the resigned leader goes on"),
                Case.of(
                        "a loss does not interrupt the work",
                        "TermWork.java",
                        "term.lease().run(lease -> action.run(term));",
                        "action.run(term);",
                        "el6_work_is_interrupted_before_another_leads_at_the_end_of_max_hold",
                        "work is interrupted at the end of its term"),
                Case.of(
                        "a resignation does not release the lock",
                        DRIVER,
                        HAND_OVER,
                        "        java.util.concurrent.CompletableFuture.<Void>completedFuture(null).whenComplete(",
                        "el4_resignation_hands_over_at_once",
                        "no candidate leads after a resignation"),
                Case.of(
                        "a term does not end when its leader resigns",
                        "Term.java",
                        "        resigned = true;\n",
                        "",
                        "el6_work_of_a_leader_that_resigned_ends_before_another_leads",
                        "the term of a leader that resigned"),
                Case.of(
                        "a candidate that resigned does not queue again",
                        STATE,
                        NEXT,
                        "        return workFailed ? Step.PAUSE : Step.NOTHING;",
                        "el5_of_many_candidates_one_leads_at_a_time_in_the_order_of_the_queue",
                        "each candidate leads twice"),
                Case.of(
                        "failed work is not retried",
                        STATE,
                        NEXT,
                        "        return workFailed ? Step.NOTHING : Step.ASK;",
                        "el7_work_that_fails_is_tried_again_after_the_pause",
                        "the third try of work that failed twice"),
                Case.of(
                        "failed work is retried at once",
                        STATE,
                        NEXT,
                        "        return Step.ASK;",
                        "el7_work_that_fails_is_tried_again_after_the_pause",
                        "the pause after a failure"));
    }
}
