package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the group IN finds an inspector that breaks it, in that rule's words, while a control rule stays green. */
@InTier(Tier.STANDARD)
class BrokenInspectorsTest {
    private static final String LOCK = "memory/MemoryLock.java";
    private static final String SERVER = "memory/MemoryServer.java";
    private static final String BACKEND = "memory/MemoryBackend.java";

    private record Case(SourceMutant mutant, String rule, String words) {
        static Case of(String flaw, String file, String original, String replacement, String rule, String words) {
            return new Case(new SourceMutant(flaw, file, original, replacement), rule, words);
        }
    }

    @TestFactory
    Stream<DynamicTest> each_rule_finds_the_inspector_that_breaks_it() {
        return Stream.of(views(), listings(), breaks())
                .flatMap(List::stream)
                .map(one -> DynamicTest.dynamicTest(
                        one.mutant() + ": " + one.rule(),
                        () -> assertThat(found(one))
                                .as("what the rule finds")
                                .isNotNull()
                                .message()
                                .containsAnyOf(one.words().split("\\|"))));
    }

    private static @Nullable Throwable found(Case one) throws Exception {
        Method ask = new MutantLoader(one.mutant())
                .loadClass(AskedRule.class.getName())
                .getDeclaredMethod("broken", String.class, String.class);
        ask.setAccessible(true);
        return (Throwable) ask.invoke(null, one.rule(), one.words());
    }

    private static List<Case> views() {
        String holder = "in1_holder_and_waiters_have_their_labels_tokens_and_order";
        return List.of(
                Case.of(
                        "all waiters but the first are missing",
                        LOCK,
                        ".limit(Inspector.MOST_WAITERS)",
                        ".limit(1)",
                        holder,
                        "the waiters in their order"),
                Case.of(
                        "requests have no labels",
                        "engine/machine/Contender.java",
                        "Claim.renewedLease(name, holder, terms.lease(), wait > 0, terms.label())",
                        "Claim.renewedLease(name, holder, terms.lease(), wait > 0)",
                        holder,
                        "the holder's label"),
                Case.of(
                        "the newest token is not stored",
                        LOCK,
                        "        newestToken = grant.token();\n",
                        "",
                        holder,
                        "the newest token"),
                Case.of(
                        "a candidate's request has no label",
                        "LockClient.java",
                        "lock.labelled(label)",
                        "lock",
                        "in1_leader_is_shown_with_the_label_of_its_candidate",
                        "the label of a leader"),
                Case.of(
                        "a renewal resets the start of the lease",
                        LOCK,
                        "Optional.of(moments.apply(since)),\n                    Optional.of(Duration",
                        "Optional.of(moments.apply(now)),\n                    Optional.of(Duration",
                        "in2_moments_are_of_the_servers_clock_and_a_renewal_changes_no_begin",
                        "the begin of a lease that was renewed"),
                Case.of(
                        "a writer is shown as a reader",
                        "LockViews.java",
                        "weight == Share.READ_WRITE",
                        "weight < 0",
                        "in3_readers_and_writers_are_shown_as_such",
                        "the waiting writer"),
                Case.of(
                        "a kept lock is shown as in use",
                        LOCK,
                        ": recallable ? Inspector.State.RECALLABLE",
                        ": retained ? Inspector.State.RECALLABLE",
                        "in4_kept_lock_and_lock_that_stays_taken_are_told_from_locks_in_use",
                        "the use of a lock that its client may keep"));
    }

    private static List<Case> listings() {
        return List.of(
                Case.of(
                        "the listing ends after its first page",
                        SERVER,
                        "last ? \"\" : names.get(names.size() - 1)",
                        "\"\"",
                        "in5_listing_of_several_pages_has_each_lock_that_is_in_use_during_all_of_it",
                        "the listed locks"),
                Case.of(
                        "a prefix is compared with the end of a name",
                        SERVER,
                        "name.startsWith(prefix)",
                        "name.endsWith(prefix)",
                        "in5_listing_has_the_names_that_begin_with_its_prefix_and_no_others",
                        "the locks that begin with"),
                Case.of(
                        "an inspection ends grants",
                        SERVER,
                        "        MemoryLock lock = purged(name);\n        return lock == null ? Optional.empty()",
                        "        MemoryLock lock = purged(name);\n        if (lock != null) {\n            lock.expire();\n        }\n"
                                + "        return lock == null ? Optional.empty()",
                        "in6_reading_beside_work_disturbs_nothing_and_never_shows_two_holders",
                        "holders at a time|holders and waiters of a lock in use"),
                Case.of(
                        "an outage is shown as a service without locks",
                        BACKEND,
                        "call(() -> server.list(prefix, cursor))",
                        "call(() -> server.list(prefix, cursor)).exceptionally(down -> new Page(List.of(), \"\"))",
                        "in7_unreachable_server_is_an_exception_and_never_a_service_without_locks",
                        "an operator's call while the server does not answer"));
    }

    private static List<Case> breaks() {
        return List.of(
                Case.of(
                        "a break ignores the token",
                        "LockInspector.java",
                        "holder.token() == token",
                        "holder.token() != 0",
                        "in9_break_with_the_token_of_a_former_holder_changes_nothing",
                        "a break with a token that no holder has"),
                Case.of(
                        "a break wakes no waiter",
                        LOCK,
                        "        holders.remove(holder);\n        wake();\n        return true;",
                        "        holders.remove(holder);\n        return true;",
                        "in8_broken_lock_goes_to_its_waiter_at_once_and_its_holder_finds_out",
                        "the median of the time from a break to the next holder"),
                Case.of(
                        "a break ends all holders",
                        LOCK,
                        "        holders.remove(holder);\n        wake();\n        return true;",
                        "        holders.clear();\n        wake();\n        return true;",
                        "in10_break_of_permits_frees_them_and_leaves_the_others",
                        "the holders after a break of one|expected: HELD"),
                Case.of(
                        "a renewal succeeds after the lock was broken",
                        SERVER,
                        "return new Renewal.Lost(\"the lease has run out or was ended\");",
                        "return new Renewal.Renewed(claim.lease());",
                        "in8_broken_lock_goes_to_its_waiter_at_once_and_its_holder_finds_out",
                        "the former holder of a broken lock finds out"),
                Case.of(
                        "a lock that stays taken can't be broken",
                        LOCK,
                        "held.grant.token() != token",
                        "held.grant.token() != token || held.retained",
                        "in11_lock_that_stays_taken_is_free_after_a_break",
                        "a break of a lock that stays taken"));
    }
}
