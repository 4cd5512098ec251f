package io.hasp.conformance.rules;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.FileLocks;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** A rule can neither be skipped nor stop being skipped unnoticed. */
final class PinnedSkipsTest {
    private static final String NEEDS_A_LEASE = "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone";
    private static final String NEEDS_NOTHING = "me2_second_client_is_refused_while_first_holds";

    @TempDir
    private static Path folder;

    @Test
    void skip_that_is_not_pinned_fails_the_class() {
        run(PinsNothing.class, NEEDS_A_LEASE)
                .assertThatEvents()
                .haveExactly(1, event(container(), finishedWithFailure(message(text -> text.contains(NEEDS_A_LEASE)))));
    }

    @Test
    void skip_for_a_pinned_reason_is_fine() {
        run(PinsAReason.class, NEEDS_A_LEASE).assertStatistics(containers -> containers.failed(0));
    }

    @Test
    void pinned_skip_of_a_rule_that_ran_fails_the_class() {
        run(PinsARuleThatHolds.class, NEEDS_NOTHING)
                .assertThatEvents()
                .haveExactly(1, event(container(), finishedWithFailure(message(text -> text.contains(NEEDS_NOTHING)))));
    }

    @Test
    void pinned_skip_of_a_rule_that_was_not_selected_is_fine() {
        run(PinsARuleThatHolds.class, "ap2_zero_wait_on_a_free_lock_succeeds")
                .assertStatistics(containers -> containers.failed(0));
    }

    @Test
    void skip_for_what_the_machine_lacks_needs_no_pin() {
        run(LacksItsServer.class, "fa11_server_that_is_down_is_an_exception_and_never_busy")
                .assertStatistics(containers -> containers.failed(0));
    }

    @Test
    void rule_that_is_left_to_the_full_tier_is_asked_there_and_needs_no_pin() {
        EngineExecutionResults results = execute(LeavesARule.class, NEEDS_NOTHING);
        results.containerEvents().assertStatistics(containers -> containers.failed(0));
        boolean full = Tier.current() == Tier.FULL;
        results.testEvents()
                .assertStatistics(tests -> tests.aborted(full ? 0 : 1).succeeded(full ? 1 : 0));
    }

    private static Events run(Class<?> adopter, String rule) {
        return execute(adopter, rule).containerEvents();
    }

    private static EngineExecutionResults execute(Class<?> adopter, String rule) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(adopter, rule))
                .execute();
    }

    static class PinsNothing implements LockConformance {
        @Override
        public LockSubject subject() {
            return new FileLocks().subject(folder.toString());
        }
    }

    static final class LacksItsServer extends PinsNothing {
        @Override
        public Faults faults() {
            throw new EnvironmentMissingException("this machine has no servers");
        }
    }

    static final class PinsARuleThatHolds extends PinsNothing {
        @Override
        public Set<String> skips() {
            return Set.of(NEEDS_NOTHING);
        }
    }

    static final class LeavesARule extends PinsNothing {
        @Override
        public Tier tierOf(String rule) {
            return rule.equals(NEEDS_NOTHING) ? Tier.FULL : Tier.FAST;
        }
    }

    static final class PinsAReason extends PinsNothing {
        @Override
        public Set<String> skips() {
            return Set.of("FIXED_LEASE is not claimed");
        }
    }
}
