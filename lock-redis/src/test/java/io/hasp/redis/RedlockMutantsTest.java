package io.hasp.redis;

import static io.hasp.conformance.mutants.Findings.broken;

import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.redlock.RedlockProtocol;
import io.hasp.redis.redlock.RedlockScripts;
import io.hasp.redis.script.LuaScript;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Ways to get Redlock wrong. Each breaks the rule meant for it, while a control rule stays green. */
class RedlockMutantsTest {

    @Test
    void half_of_the_nodes_is_no_majority() {
        MajorityRules half = mutant(right -> new RedlockProtocol(
                new Quorum(right.quorum().nodes(), right.quorum().nodes() / 2), right.scripts(), right.timing()));
        broken(
                half::fa4_three_stopped_nodes_are_a_typed_failure_and_nothing_is_left_on_the_others,
                "a lock without a majority was granted");
        half.fa4_two_stopped_nodes_cost_less_than_a_node_timeout();
    }

    @Test
    void elapsed_time_ignored_grants_an_expired_lease() {
        MajorityRules timeless =
                mutant(right -> new RedlockProtocol(right.quorum(), right.scripts(), new StoppedClock(right.timing())));
        broken(
                timeless::le12_nodes_that_are_slower_than_the_lease_are_a_failure_and_give_everything_back,
                "a lease that was over when it was granted");
        timeless.le13_an_extension_on_a_minority_is_a_loss();
    }

    @Test
    void a_minority_that_is_not_released_stays_locked() {
        MajorityRules careless = mutant(right -> with(
                right,
                right.scripts().token(),
                without(
                        right.scripts().release(),
                        "local held = type(value) == 'string' and string.sub(value, 1, #mine) == mine",
                        "and drop == '0'")));
        broken(
                careless::fa4_three_stopped_nodes_are_a_typed_failure_and_nothing_is_left_on_the_others,
                "nodes that still keep a lock that was not granted");
        careless.a_cycle_is_three_rounds();
    }

    @Test
    void phase_two_without_owner_check_takes_the_token_of_a_former_holder() {
        MajorityRules unchecked = mutant(right -> with(
                right,
                without(right.scripts().token(), "if owner ~= me", "and false"),
                right.scripts().release()));
        broken(
                unchecked::fe4_a_token_is_acknowledged_only_for_the_present_holder,
                "a token of a holder whose lease has ended");
        unchecked.le13_an_extension_on_a_minority_is_a_loss();
    }

    private static MajorityRules mutant(UnaryOperator<RedlockProtocol> how) {
        return new MajorityRules() {
            @Override
            public RedlockProtocol mutate(RedlockProtocol right) {
                return how.apply(right);
            }
        };
    }

    private static RedlockProtocol with(RedlockProtocol right, LuaScript token, LuaScript release) {
        RedlockScripts scripts = new RedlockScripts(
                right.scripts().grant(), token, right.scripts().renew(), release);
        return new RedlockProtocol(right.quorum(), scripts, right.timing());
    }

    /** Adds to a line, which must be there. */
    private static LuaScript without(LuaScript right, String line, String added) {
        if (!right.text().contains(line)) {
            throw new IllegalStateException("no line '" + line + "' in the script");
        }
        return LuaScript.of(right.text().replace(line, line + " " + added));
    }

    private record StoppedClock(Timing right) implements Timing {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return right.schedule(delay, task);
        }
    }
}
