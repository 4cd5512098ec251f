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

/** Each rule of the groups KE and AL finds a client that breaks it, in that rule's words, while a control rule stays green. */
@InTier(Tier.STANDARD)
class BrokenKeptLocksTest {
    private static final int AT_ONCE = 4;
    private static final String LEASE = "engine/lease/HeldLease.java";
    private static final String KEPT = "engine/lease/KeptGrant.java";
    private static final String KEEP_STEPS = "engine/machine/KeepSteps.java";
    private static final String ATTEMPT_STEPS = "engine/machine/AttemptSteps.java";
    private static final String LEASE_STEPS = "engine/machine/LeaseSteps.java";
    private static final String SERVER = "memory/MemoryServer.java";
    private static final String LOCK = "memory/MemoryLock.java";
    private static final String KEEP_ALLOWED = "return recallable && !wanted && undoubted(now);";

    private static final String IDLE_RECALL =
            "                kept.keeping.recalledIdle(lock.name);\n                end(lock, kept);\n";

    private record Case(String flaw, SourceMutant mutant, String rule, String words) {
        static Case of(String flaw, String file, String original, String replacement, String rule, String words) {
            return new Case(flaw, new SourceMutant(flaw, file, original, replacement), rule, words);
        }
    }

    @TestFactory
    Stream<DynamicTest> each_rule_finds_the_lock_that_breaks_it() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (Case one : Stream.of(reuses(), recalls(), ends(), retained(), closing(), several())
                    .flatMap(List::stream)
                    .toList()) {
                Future<@Nullable Throwable> found = threads.submit(() -> found(one));
                tests.add(DynamicTest.dynamicTest(
                        one.flaw() + ": " + one.rule(),
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

    private static List<Case> closing() {
        String close = "ap10_close_waits_for_work_and_gives_nothing_back_before_its_end";
        String left = "ap10_what_is_in_use_when_the_time_is_over_is_not_given_back_early";
        return List.of(
                Case.of(
                        "close releases every lock at once",
                        "engine/Shutdown.java",
                        "        engine.beginClosing();\n",
                        "        engine.giveEverythingBack();\n",
                        close,
                        "a lock whose work goes on while its client closes"),
                Case.of(
                        "close releases a lock that is still in use after its wait",
                        "engine/Shutdown.java",
                        "        engine.leave();\n",
                        "        engine.giveEverythingBack();\n",
                        left,
                        "a lock that a closed client left to its work"),
                Case.of(
                        "a lock that is still in use after close is renewed",
                        "engine/lease/GrantRenewal.java",
                        "        stopped = true;\n",
                        "        stopped = false;\n",
                        left,
                        "No value present"));
    }

    private static List<Case> several() {
        String ends = "al2_nothing_is_held_after_a_timeout_an_interrupt_a_cancellation_or_a_close";
        return List.of(
                Case.of(
                        "several locks are acquired in the caller's order",
                        "MultiLock.java",
                        ".sorted(ORDER)",
                        "",
                        "al1_clients_that_ask_for_random_subsets_in_random_order_never_deadlock",
                        "a deadlock"),
                Case.of(
                        "the locks behind a refused lock are not released",
                        "MultiAcquisition.java",
                        "                release(lease);\n",
                        "",
                        ends,
                        "free after a try that was refused"),
                Case.of(
                        "a cancelled call for several locks continues",
                        "MultiAcquirer.java",
                        "Leases may be on their way.\n                acquisition.abandon();\n",
                        "Leases may be on their way.\n",
                        ends,
                        "free after a cancellation"),
                Case.of(
                        "the other locks stay held when one lock is lost",
                        "MultiHold.java",
                        "            if (lease.lease().alive()) {\n",
                        "            if (false) {\n",
                        "al3_loss_of_one_ends_all_and_is_told_once",
                        "free after the loss of"),
                Case.of(
                        "each lock has the token of another lock",
                        "MultiLease.java",
                        "all.put(parts.get(i).name(), values.get(i));",
                        "all.put(parts.get(i).name(), values.get(values.size() - 1 - i));",
                        "al4_tokens_of_each_name_grow_whatever_other_locks_they_came_with",
                        "a token of"),
                Case.of(
                        "a name may occur twice",
                        "MultiLock.java",
                        "            if (name.equals(sorted.get(i - 1).name())) {\n",
                        "            if (false) {\n",
                        "al5_bad_input_is_refused_before_anything_is_sent",
                        "Expecting code to raise"));
    }

    private static List<Case> reuses() {
        return List.of(
                Case.of(
                        "no lock is kept",
                        LEASE,
                        KEEP_ALLOWED,
                        "return false;",
                        "ke1_keeper_locks_again_without_a_request_and_with_a_larger_token",
                        "was not kept after its release"),
                Case.of(
                        "a lease on a kept lock repeats the last token",
                        LEASE,
                        "settings, since, index + 1, inARow",
                        "settings, since, inARow == 0 ? index : index + 1, inARow",
                        "ke1_keeper_locks_again_without_a_request_and_with_a_larger_token",
                        "token of a lease on a lock that was kept"),
                Case.of(
                        "a lease on a kept lock has its own deadline",
                        LEASE,
                        "        LeaseLife began = renewal.begins(next.cap(now));\n",
                        "        if (inARow == 0) {\n            renewal.confirmed(now, new io.hasp.spi.Renewal.Renewed(grant.validity()));\n        }\n        LeaseLife began = renewal.begins(next.cap(now));\n",
                        "ke1_lease_on_a_kept_lock_ends_with_the_grant_that_it_stands_on",
                        "a client assumed its kept lock"),
                Case.of(
                        "a released grant is used again",
                        KEEP_STEPS,
                        IDLE_RECALL,
                        "                lock.releases.withdraw(kept.last.grant.claim(), kept.last.longestAsked());\n",
                        "ke5_recorded_holds_do_not_overlap_and_tokens_are_in_order_through_reuses_and_recalls",
                        "broken: "),
                Case.of(
                        "a grant serves more leases than it has tokens",
                        LEASE,
                        "return index < FencingTokens.PER_GRANT - 1 && ",
                        "return ",
                        "ke5_recorded_holds_do_not_overlap_and_tokens_are_in_order_through_reuses_and_recalls",
                        "broken: a later grant has a larger token"));
    }

    private static List<Case> retained() {
        String rule = "le16_lock_stays_taken_for_as_long_as_asked_although_its_client_releases_it_or_closes";
        return List.of(
                Case.of(
                        "a lock that must stay taken is released",
                        "engine/machine/ReleasePolicy.java",
                        "        if (lease.staysFor(lock.now) > 0) {",
                        "        if (false) {",
                        rule,
                        "to the next one"),
                Case.of(
                        "the server frees a lock that must stay taken",
                        LOCK,
                        "        held.endsAt = endsAt;\n        return true;",
                        "        holders.remove(holder);\n        return true;",
                        rule,
                        "to the next one"));
    }

    private static List<Case> recalls() {
        return List.of(
                Case.of(
                        "a recall of an idle kept lock is ignored",
                        KEEP_STEPS,
                        IDLE_RECALL,
                        "                kept.keeping.recalledIdle(lock.name);\n",
                        "ke2_waiter_gets_a_lock_that_is_only_kept",
                        "on an idle kept lock"),
                Case.of(
                        "no holder receives a recall",
                        LOCK,
                        "                held.signals.onSignal(Signal.WANTED);\n",
                        "",
                        "ke2_waiter_gets_a_lock_that_is_only_kept",
                        "on an idle kept lock"),
                Case.of(
                        "a recall of a lock in use is ignored",
                        LEASE_STEPS,
                        "            case WANTED -> wanted(lock, lease);\n",
                        "            case WANTED -> lock.took(Transition.SIGNAL_IGNORED);\n",
                        "ke3_lock_in_use_goes_to_the_waiter_at_its_release",
                        "the client of a lock in use is notified"),
                Case.of(
                        "a lock that was recalled while in use is kept",
                        LEASE,
                        KEEP_ALLOWED,
                        "return recallable && undoubted(now);",
                        "ke3_lock_in_use_goes_to_the_waiter_at_its_release",
                        "client"),
                Case.of(
                        "a lock that was recalled while in use is kept",
                        LEASE,
                        KEEP_ALLOWED,
                        "return recallable && undoubted(now);",
                        "ke3_waiter_is_not_starved_by_a_keeper_that_uses_the_lock_again_and_again",
                        "again and again"),
                Case.of(
                        "a call without a wait sends one request only",
                        ATTEMPT_STEPS,
                        "long pause = answer.recalled() ? untilNextTry(lock, contender, pollAfter) : 0;",
                        "long pause = 0;",
                        "ke4_zero_wait_gets_a_lock_that_is_only_kept_and_no_lock_in_use",
                        "attempts without a wait that got a lock which was only kept"),
                Case.of(
                        "a call without a wait recalls no holder",
                        SERVER,
                        "boolean recalled = lock.recall();",
                        "boolean recalled = claim.queue() && lock.recall();",
                        "ke4_zero_wait_gets_a_lock_that_is_only_kept_and_no_lock_in_use",
                        "the client of a lock in use is notified"));
    }

    private static List<Case> ends() {
        String forGood = "        if (lock.kept == kept && lock.now >= kept.until - lock.settings.keep() / TOGETHER) {";
        return List.of(
                Case.of(
                        "a kept lock is never released",
                        KEEP_STEPS,
                        forGood,
                        "        if (false) {",
                        "ke6_nothing_is_on_the_server_when_the_time_to_keep_is_over",
                        "a lock is not kept any more after"),
                Case.of(
                        "a kept lock is used after its deadline",
                        KEPT,
                        "return last.mayHaveSuccessor(now)\n                && Math",
                        "return Math",
                        "ke7_keeper_that_was_stopped_beyond_its_lease_does_not_lock_again_what_others_hold",
                        "a client that was stopped while it kept a lock uses it"),
                Case.of(
                        "a kept lock outlives its client",
                        LOCK,
                        "held -> now - held.endsAt >= 0",
                        "held -> now - held.endsAt >= 0 && !held.recallable",
                        "ke8_locks_of_a_keeper_that_was_killed_are_free_within_its_silence",
                        "a lock is still held although its keeper was killed"),
                Case.of(
                        "a kept lock is forgotten instead of released",
                        KEEP_STEPS,
                        "PendingRelease release = lock.releases.withdraw(kept.last.grant.claim(), kept.last.longestAsked());\n",
                        "PendingRelease release = new PendingRelease(kept.last.grant.claim(), lock.now, lock.now);\n",
                        "ke9_close_gives_back_what_is_kept",
                        "holders on the server of a lock that was kept"),
                Case.of(
                        "the token floor of a kept lock is raised without a recall",
                        SERVER,
                        "if (lock != null && lock.recall()) {",
                        "if (false) {",
                        "ke9_token_floor_is_below_every_later_token_of_a_lock_that_was_kept",
                        "token of a client that kept the lock when the floor was raised"),
                Case.of(
                        "a kept lock is never released by a client without a subscription",
                        KEEP_STEPS,
                        forGood,
                        "        if (false) {",
                        "ke10_keeper_that_is_not_told_of_others_keeps_a_lock_no_longer_than_it_said",
                        "an unused lock is held"));
    }
}
