package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.SharedLockConformance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each rule of the groups RW and PE finds a lock that breaks it, in that rule's words. A control rule stays green on that lock,
 * and, in the full tier, the rule itself on the same lock without the flaw. They run side by side, since most of their time is waiting.
 */
@InTier(Tier.STANDARD)
class BrokenSharedLocksTest {
    private static final int AT_ONCE = 6;
    private static final int TRIES = 3;
    private static final Callable<String> NOT_ASKED = () -> "left to the full tier";

    private interface Rule<R> {
        void askOf(R rules) throws Exception;
    }

    /** A rule that breaks, with its name, and its calls on a broken and on a sound lock. */
    private record Case(String name, Callable<String> broken, Callable<String> sound, String words) {}

    @TestFactory
    List<DynamicTest> each_rule_finds_the_lock_that_breaks_it() throws InterruptedException {
        List<DynamicTest> tests = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (Case one : cases()) {
                Future<?> broken = threads.submit(() -> repeated(one.broken()));
                Future<?> sound = threads.submit(Tier.current() == Tier.FULL ? one.sound() : NOT_ASKED);
                tests.add(DynamicTest.dynamicTest(one.name(), () -> {
                    assertThatCode(sound::get)
                            .as("the rule on the lock without the flaw")
                            .doesNotThrowAnyException();
                    assertThat(thrown(broken))
                            .as("what the rule finds")
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining(one.words());
                }));
            }
        } finally {
            threads.shutdown();
        }
        return tests;
    }

    /** Some flaws show by chance. */
    private static Object repeated(Callable<?> broken) throws Exception {
        for (int i = 1; i < TRIES; i++) {
            broken.call();
        }
        return broken.call();
    }

    private static @Nullable Throwable thrown(Future<?> asked) throws InterruptedException {
        try {
            asked.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>(queues());
        cases.addAll(holders());
        cases.addAll(weights());
        cases.addAll(libraries());
        return cases;
    }

    private static List<Case> holders() {
        return List.of(
                on(
                        SharedFlaw.READERS_EXCLUDE_READERS,
                        HaspConformance::rw1_readers_hold_the_lock_together,
                        "a lock that has room for it was refused"),
                on(
                        SharedFlaw.WRITERS_BESIDE_READERS,
                        HaspConformance::rw1_writer_holds_the_lock_alone,
                        "must be refused: the first writes"),
                on(
                        SharedFlaw.WRITERS_BESIDE_READERS,
                        HaspConformance::rw1_recorded_holds_of_readers_and_writers_never_conflict,
                        "held it at once"),
                on(
                        SharedFlaw.TOKENS_PER_WEIGHT,
                        HaspConformance::rw8_token_is_larger_than_that_of_every_earlier_grant_it_excludes,
                        "token of a writer after that of readers and writers"),
                on(
                        SharedFlaw.TOKENS_PER_WEIGHT,
                        HaspConformance
                                ::fe6_store_with_two_numbers_refuses_former_holders_and_no_reader_because_of_another,
                        "a write of the next writer"),
                on(
                        SharedFlaw.PARTS_NOT_RENEWED,
                        HaspConformance::rw6_dead_or_stopped_reader_and_writer_are_followed_within_their_silence,
                        "a waiter must go on waiting: the client that holds it lives"),
                on(
                        SharedFlaw.PARTS_NOT_RENEWED,
                        HaspConformance::pe5_permits_are_renewed_for_as_long_as_their_clients_live,
                        "three of four permits are out, and renewed"),
                on(
                        SharedFlaw.PERMITS_OF_THE_DEAD_VANISH,
                        HaspConformance::pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up,
                        "the lock of a client that is dying"),
                on(
                        SharedFlaw.PERMITS_OF_THE_DEAD_DOUBLE,
                        HaspConformance::pe1_permits_are_conserved_over_many_cycles_with_kills,
                        "all permits are out"),
                on(
                        SharedFlaw.KINDS_MIXED,
                        HaspConformance::pe7_another_kind_is_a_typed_error_and_leaves_nothing,
                        "is requested as"),
                on(
                        SharedFlaw.KINDS_MIXED,
                        HaspConformance::pe7_of_two_kinds_that_are_asked_for_at_once_one_is_granted_at_most,
                        "whether a name was held as two kinds at once"));
    }

    private static List<Case> queues() {
        return List.of(
                on(
                        SharedFlaw.NEWCOMERS_PASS,
                        HaspConformance::rw2_writer_is_not_starved_by_readers_that_come_and_go,
                        "while readers came and went"),
                on(
                        SharedFlaw.NEWCOMERS_PASS,
                        HaspConformance::pe3_large_request_is_not_starved_by_small_ones,
                        "while others took one and gave it back"),
                on(
                        SharedFlaw.NEWCOMERS_PASS,
                        HaspConformance::rw3_no_reader_that_came_after_a_queued_writer_is_granted_before_it,
                        "readers that came after a queued writer"),
                on(
                        SharedFlaw.NEWCOMERS_PASS,
                        HaspConformance::pe3_no_small_request_that_came_after_a_large_one_is_granted_before_it,
                        "small requests that came after a large one"),
                on(
                        SharedFlaw.SMALL_ONES_PASS,
                        HaspConformance::rw3_no_reader_that_came_after_a_queued_writer_is_granted_before_it,
                        "readers that came after a queued writer"),
                on(
                        SharedFlaw.SMALL_ONES_PASS,
                        HaspConformance::pe3_no_small_request_that_came_after_a_large_one_is_granted_before_it,
                        "small requests that came after a large one"),
                on(
                        SharedFlaw.FIRST_WAITER_ONLY,
                        HaspConformance::rw4_readers_that_wait_next_to_each_other_enter_with_one_release,
                        "four readers that waited for one writer"),
                on(
                        SharedFlaw.FIRST_WAITER_ONLY,
                        HaspConformance::pe6_waiters_that_fit_enter_with_one_release,
                        "three that waited for permits"),
                on(
                        SharedFlaw.SILENT_WITHDRAWALS,
                        HaspConformance::rw5_readers_enter_when_the_writer_before_them_gives_up,
                        "two readers behind a writer that gave up"),
                on(
                        SharedFlaw.SILENT_WITHDRAWALS,
                        HaspConformance::pe6_small_request_enters_when_the_large_one_before_it_gives_up,
                        "a small request behind a large one that gave up"),
                on(
                        SharedFlaw.DEAD_WAITERS_STAY,
                        HaspConformance::rw7_dead_writer_in_the_queue_blocks_no_reader_behind_it,
                        "behind a dead waiter (writing)"),
                on(
                        SharedFlaw.DEAD_WAITERS_STAY,
                        HaspConformance::pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up,
                        "behind a dead waiter (3 of 3 permits)"));
    }

    private static List<Case> weights() {
        return List.of(
                on(
                        SharedFlaw.NO_LOWERING,
                        HaspConformance::rw9_downgrade_lets_readers_in_and_no_writer,
                        "a reader still waits for a client that no longer writes"),
                on(
                        SharedFlaw.LOWERING_RELEASES,
                        HaspConformance::rw9_downgrade_lets_readers_in_and_no_writer,
                        "the downgraded writer assumes its read lock"),
                on(
                        SharedFlaw.RENEWALS_RAISE,
                        HaspConformance::rw9_renewals_after_a_downgrade_shut_out_no_reader,
                        "a request of another client for reading must be granted"),
                on(
                        SharedFlaw.NO_LOWERING,
                        HaspConformance::rw10_thread_that_unlocks_for_writing_first_goes_on_reading,
                        "a thread goes on reading, and another client may not read"),
                on(
                        SharedFlaw.NO_LOWERING,
                        HaspConformance::pe4_permits_given_back_early_let_exactly_those_in_who_fit,
                        "three permits were given back, and a request for two still waits"),
                on(
                        SharedFlaw.LOWERING_RELEASES,
                        HaspConformance::pe4_permits_given_back_early_let_exactly_those_in_who_fit,
                        "the client assumes the permit that it kept"));
    }

    private static List<Case> libraries() {
        return List.of(
                around(
                        BrokenSharedLocks::outageAsBusy,
                        SharedLockConformance::rw11_outage_is_an_exception_and_never_busy,
                        "an outage was reported as 'others hold the lock'"),
                around(
                        BrokenSharedLocks::outageAsBusy,
                        SharedLockConformance::pe8_outage_is_an_exception_and_never_busy,
                        "an outage was reported as 'others hold the lock'"),
                around(
                        BrokenSharedLocks::believesOn,
                        SharedLockConformance::rw9_downgrade_lets_readers_in_and_no_writer,
                        "a writer that was downgraded to a reader still assumes its write lock"),
                around(
                        BrokenSharedLocks::believesOn,
                        SharedLockConformance::rw6_dead_or_stopped_reader_and_writer_are_followed_within_their_silence,
                        "a client that stood still assumes a lock that another client has"),
                around(
                        BrokenSharedLocks::believesOn,
                        SharedLockConformance::pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up,
                        "a client that stood still assumes a lock that another client has"));
    }

    /** Hasp on a server with a flaw. */
    private static Case on(SharedFlaw flaw, Rule<HaspConformance> rule, String words) {
        return new Case(
                flaw + ": " + words,
                () -> {
                    HaspConformance rules = BrokenSharedLocks.on(flaw);
                    rules.ap2_zero_wait_on_a_free_lock_succeeds();
                    return asked(rule, rules);
                },
                () -> asked(rule, BrokenSharedLocks.on()),
                words);
    }

    /** A library that does worse than Hasp. */
    private static Case around(UnaryOperator<LockUser> library, Rule<SharedLockConformance> rule, String words) {
        return new Case(
                "library: " + words,
                () -> {
                    SharedLockConformance rules = BrokenSharedLocks.around(library);
                    rules.pe1_no_more_permits_than_the_total_are_out();
                    return asked(rule, rules);
                },
                () -> asked(rule, BrokenSharedLocks.around(user -> user)),
                words);
    }

    private static <R> String asked(Rule<R> rule, R rules) throws Exception {
        rule.askOf(rules);
        return "held, within " + Timings.longWait();
    }
}
