package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LeaderElection;
import io.hasp.Term;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.Terms;
import io.hasp.conformance.rules.support.Terms.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** EL: elections whose candidates live. */
public interface ElectionRules extends RuleGroup {
    /** Earlier than any poll would be. */
    Duration PROMPT = Duration.ofMillis(150);

    @Override
    HaspSubject subject();

    /**
     * A leader resigns again and again, with one candidate behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el4_resignation_hands_over_at_once() throws Exception {
        List<Duration> rounds = new ArrayList<>();
        try (RuleRun run = new RuleRun(subject());
                Terms terms = new Terms(subject(), run.lock())) {
            Candidate leader = terms.join();
            leader.begins(Timings.longWait(), "the first candidate leads");
            Candidate next = terms.join();
            for (int round = 0; round < 9; round++) {
                run.awaitPresent(faults(), 2);
                try (MachineLateness lateness = new MachineLateness()) {
                    long resigned = System.nanoTime();
                    assertThat(leader.election().resign())
                            .as("a leader resigns")
                            .isTrue();
                    assertThat(leader.election().isLeader())
                            .as("a candidate that has resigned still leads")
                            .isFalse();
                    long begun = next.begins(Timings.longWait(), "no candidate leads after a resignation");
                    rounds.add(Duration.ofNanos(begun - resigned).minus(lateness.worst()));
                }
                Candidate resigned = leader;
                leader = next;
                next = resigned;
            }
        }
        Collections.sort(rounds);
        assertThat(rounds.get(rounds.size() / 2))
                .as("the time from a resignation to the next term, in the median of " + rounds)
                .isLessThan(PROMPT);
    }

    /**
     * Many candidates whose work is short: none leads beside another, their first terms come in the order in which they
     * came, where order is claimed, and each leads again.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void el5_of_many_candidates_one_leads_at_a_time_in_the_order_of_the_queue() throws Exception {
        int candidates = Tier.count(20, 100);
        for (int run = 1; run <= 5; run++) {
            Queue<Integer> led = new ConcurrentLinkedQueue<>();
            Queue<String> overlaps = new ConcurrentLinkedQueue<>();
            Duration late = eachLeadsTwice(candidates, led, overlaps);
            // If the machine stood still for longer, leases and places in the queue may have run out.
            if (late.compareTo(Timings.lease().dividedBy(3)) > 0) {
                continue;
            }
            assertThat(overlaps).as("leaders at the same time").isEmpty();
            if (subject().claims().contains(Claimed.FIFO)) {
                assertThat(List.copyOf(led).stream().limit(candidates))
                        .as("the order of the first terms")
                        .isEqualTo(IntStream.range(0, candidates).boxed().toList());
            }
            return;
        }
        throw new TestAbortedException("nothing is shown: the machine stood still in each of five runs");
    }

    /** Returns the longest time for which the machine stood still. */
    private Duration eachLeadsTwice(int candidates, Queue<Integer> led, Queue<String> overlaps) throws Exception {
        AtomicInteger leading = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        try (RuleRun run = new RuleRun(subject());
                Terms terms = new Terms(subject(), run.lock());
                MachineLateness lateness = new MachineLateness()) {
            for (int i = 0; i < candidates; i++) {
                int number = i;
                terms.election(options -> options).run(term -> {
                    int others = leading.getAndIncrement();
                    try {
                        begin.await();
                        if (others > 0 || leading.get() > 1) {
                            overlaps.add("candidate " + number + " beside others");
                        }
                        led.add(number);
                    } finally {
                        leading.decrementAndGet();
                    }
                });
                run.awaitPresent(faults(), i + 1);
            }
            begin.countDown();
            Awaitility.await("each candidate leads twice")
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Timings.longWait().multipliedBy(2))
                    .until(() -> IntStream.range(0, candidates).allMatch(each -> Collections.frequency(led, each) > 1));
            return lateness.worst();
        }
    }

    /**
     * The work of a leader that resigns takes its time to end, and no other candidate leads before it has ended.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el6_work_of_a_leader_that_resigned_ends_before_another_leads() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                Terms terms = new Terms(subject(), run.lock())) {
            LeaderElection slow = terms.election(options -> options);
            CountDownLatch working = new CountDownLatch(1);
            CountDownLatch interrupted = new CountDownLatch(1);
            CountDownLatch ends = new CountDownLatch(1);
            slow.run(term -> {
                if (ends.getCount() == 0) {
                    // Without an order it may lead again before the other one.
                    return;
                }
                try {
                    working.countDown();
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    ends.await();
                }
            });
            Term term = slow.await(Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the only candidate was not elected"));
            LeaderElection next = terms.election(options -> options);
            next.join();
            working.await();
            assertThat(slow.resign()).isTrue();
            assertThat(term.ended()).as("the term of a leader that resigned").isTrue();
            assertThat(next.await(Timings.lease().plus(Timings.units(5))))
                    .as("another leader, while the work of the resigned leader goes on")
                    .isEmpty();
            interrupted.await();
            ends.countDown();
            assertThat(next.await(Timings.longWait()))
                    .as("another leader, after the work has ended")
                    .isPresent();
        }
    }

    /**
     * Max hold ends a term by the client's own clock: the work is interrupted before another candidate leads.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el6_work_is_interrupted_before_another_leads_at_the_end_of_max_hold() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                Terms terms = new Terms(subject(), run.lock());
                MachineLateness lateness = new MachineLateness()) {
            Candidate limited = terms.join(options -> options.maxHold(Timings.lease()));
            limited.begins(Timings.longWait(), "the first candidate leads");
            Candidate next = terms.join();
            long interrupted = limited.isInterrupted(
                    Timings.lease().plus(Timings.longWait()), "work is interrupted at the end of its term");
            long begun = next.begins(Timings.longWait(), "another leads after the end of a term");
            assertThat(Duration.ofNanos(interrupted - begun))
                    .as("from the begin of the next term to the interrupt of the last one")
                    .isLessThan(lateness.allowance());
        }
    }

    /**
     * Work that throws runs again after the pause, with a larger token; then it leads until it is closed.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el7_work_that_fails_is_tried_again_after_the_pause() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                Terms terms = new Terms(subject(), run.lock())) {
            LeaderElection election = terms.election(options -> options);
            Queue<Long> tokens = new ConcurrentLinkedQueue<>();
            Queue<Long> begun = new ConcurrentLinkedQueue<>();
            election.run(term -> {
                tokens.add(term.fencingToken());
                begun.add(System.nanoTime());
                if (tokens.size() < 3) {
                    throw new IllegalStateException("a failure that the rule expects");
                }
                new CountDownLatch(1).await();
            });
            Awaitility.await("the third try of work that failed twice")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Timings.longWait())
                    .until(() -> tokens.size() == 3);
            assertThat(List.copyOf(tokens)).as("tokens of the tries").isSorted().doesNotHaveDuplicates();
            long first = begun.remove();
            assertThat(Duration.ofNanos(begun.remove() - first))
                    .as("the pause after a failure")
                    .isGreaterThanOrEqualTo(Timings.units(1));
            Term leads = election.term().orElseThrow(() -> new AssertionError("whether the third try leads"));
            election.close();
            assertThat(leads.ended())
                    .as("the term of an election that is closed")
                    .isTrue();
        }
    }
}
