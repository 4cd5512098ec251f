package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Ways to get marks and recalls wrong. Each breaks the rule meant for it. */
class MarkMutantsTest extends ScriptFixture {
    private interface Rule {
        void check(MarkRules rules) throws Exception;
    }

    /**
     * A line of the scripts, which must be in at least one, and what stands there instead.
     *
     * @param words of the failed assertion
     */
    private record Mutant(String name, String line, String instead, Rule rule, String words) {}

    private static final List<Mutant> MUTANTS = List.of(
            new Mutant(
                    "a call without a wait recalls no holder",
                    "return recall(LOCK, owner, label) and 'BUSY||1||^' or 'BUSY||' .. text(POLL)",
                    "return 'BUSY||' .. text(POLL)",
                    MarkRules::whoever_is_refused_recalls_each_time,
                    "BUSY||1||^"),
            new Mutant(
                    "only the first refusal of a waiter recalls",
                    "notes(owner and recall(LOCK, owner, label), deaf)",
                    "notes(owner and not redis.call('GET', LOCK .. ':mutant') and redis.call('SET', LOCK .. ':mutant', 1)"
                            + " and recall(LOCK, owner, label), deaf)",
                    MarkRules::whoever_is_refused_recalls_each_time,
                    "Expecting"),
            new Mutant(
                    "a keeper that nobody hears is waited for",
                    "return type(heard) == 'number' and heard > 0",
                    "return channel",
                    MarkRules::a_keeper_that_nobody_hears_is_in_use,
                    "a try"),
            new Mutant(
                    "a renewal leaves the mark",
                    "if not keeps and marked(label) then",
                    "if false then",
                    MarkRules::a_renewal_takes_the_mark_off_and_prolongs,
                    "the label of a lock that is not kept"),
            new Mutant(
                    "each renewal takes the mark off",
                    "if not keeps and marked(label) then",
                    "if marked(label) then",
                    MarkRules::a_renewal_takes_the_mark_off_and_prolongs,
                    "the label of a lock that may be kept"),
            new Mutant(
                    "the mark comes back when the holder asks again",
                    "return granted()\nend\nif lastHolder",
                    "redis.call('SET', LOCK, '1|' .. me .. '|H|' .. token .. '|' .. asked, 'PX', ttl)\n"
                            + "label = asked\nreturn granted()\nend\nif lastHolder",
                    MarkRules::a_renewal_takes_the_mark_off_and_prolongs,
                    "asked again"),
            new Mutant(
                    "a grant with waiters behind it has the mark",
                    "waiting > 0 and unmarked(asked) or asked",
                    "asked",
                    MarkRules::a_grant_that_leaves_waiters_behind_has_no_mark_and_says_so,
                    "1250"),
            new Mutant(
                    "a grant tells of waiters, not of its mark",
                    "(marked(asked) and not marked(label) and '|W' or '')",
                    "(waiting > 0 and '|W' or '')",
                    MarkRules::what_is_told_is_so_although_the_waiter_behind_has_left,
                    "the lock has no mark, though nobody waits"),
            new Mutant(
                    "a handed-over lock says nothing of its mark",
                    "(marked(label) and '^|' or '|')",
                    "'|'",
                    MarkRules::a_grant_that_leaves_nobody_behind_has_the_mark_and_says_so,
                    "1250"),
            new Mutant(
                    "the confirmed lock loses its mark",
                    "'|H|' .. token .. '|' .. label, 'PX', ttl)\n  else",
                    "'|H|' .. token .. '|' .. unmarked(label), 'PX', ttl)\n  else",
                    MarkRules::a_grant_that_leaves_nobody_behind_has_the_mark_and_says_so,
                    "after it was confirmed"),
            new Mutant(
                    "the one that was served in a transfer hears nothing",
                    "  owner, token, label = holder, text(last), waiting",
                    "  token, label = text(last), waiting",
                    MarkRules::a_transfer_that_serves_another_client_recalls_it_for_its_own,
                    "nil value"),
            new Mutant(
                    "a floor is raised over a lock that is kept",
                    "  return 'KEPT'\n",
                    "",
                    MarkRules::a_floor_is_raised_when_the_keeper_has_answered,
                    "KEPT"),
            new Mutant(
                    "a floor recalls nobody",
                    "  recall(LOCK, owner, label)\n  return 'KEPT'",
                    "  return 'KEPT'",
                    MarkRules::a_floor_is_raised_when_the_keeper_has_answered,
                    "R|a|"));

    @TestFactory
    Stream<DynamicTest> each_is_found() {
        return MUTANTS.stream().map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> find(mutant)));
    }

    private static void find(Mutant mutant) {
        Function<LockScript, String> planted = changed(LockScript::text, mutant.line(), mutant.instead());
        assertThatThrownBy(() -> {
                    try (MarkRules rules = new MarkRules(server, planted)) {
                        mutant.rule().check(rules);
                    }
                })
                .satisfies(failure -> assertThat(failure.toString()).contains(mutant.words()));
    }
}
