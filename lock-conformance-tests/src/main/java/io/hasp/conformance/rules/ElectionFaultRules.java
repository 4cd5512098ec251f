package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import io.hasp.conformance.rules.support.Terms;
import io.hasp.conformance.rules.support.Terms.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** EL: leaders that die, stand still, or are cut off. */
public interface ElectionFaultRules extends RuleGroup {

    @Override
    HaspSubject subject();

    /**
     * Starts a client that a rule may stop, so that none of its threads and timers runs before it is resumed.
     *
     * @param name its name in reports
     * @return {@link #crashable}, unless overridden; the rule closes it
     * @throws Exception if it can't be started
     */
    default CrashableClient stoppable(String name) throws Exception {
        return crashable(name);
    }

    private static String election(RuleRun run) {
        return HaspSubject.ELECTION + run.lock();
    }

    private static Hold led(LockUser user, RuleRun run) throws Exception {
        return user.tryAcquire(election(run), Timings.longWait())
                .orElseThrow(() -> new AssertionError("a candidate without a rival was not elected"));
    }

    /**
     * Candidates lead in turn, again and again, while one after the other stands still for longer than its lease. The terms
     * of the first one are longer than a lease.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el1_terms_never_overlap_by_the_leaders_clocks() throws Exception {
        Duration time = subject().silence().multipliedBy(Tier.count(3, 20));
        try (RuleRun run = new RuleRun(subject());
                CrashableClient first = stoppable("first");
                CrashableClient second = stoppable("second");
                CrashableClient third = stoppable("third")) {
            List<CrashableClient> clients = List.of(first, second, third);
            List<CompletableFuture<LockLoop.Outcome>> loops = new ArrayList<>();
            for (CrashableClient client : clients) {
                Duration term = client == first ? subject().silence().plus(Timings.units(5)) : Timings.units(2);
                loops.add(client.looping(LockLoop.on(election(run), time.plus(Timings.units(5)))
                        .holding(term)
                        .waiting(subject().silence().plus(Timings.tolerance()))));
                awaitPresent(run, loops.size());
            }
            long end = System.nanoTime() + time.toNanos();
            for (int turn = 0; System.nanoTime() < end; turn++) {
                CrashableClient stopped = clients.get(turn % clients.size());
                stopped.pause();
                // Not a wait for something to happen: the length of the standstill.
                TimeUnit.NANOSECONDS.sleep(
                        subject().silence().plus(Timings.units(2)).toNanos());
                stopped.resume();
                TimeUnit.NANOSECONDS.sleep(Timings.units(3).toNanos());
            }
            long terms = 0;
            for (CompletableFuture<LockLoop.Outcome> loop : loops) {
                terms += loop.get(Timings.longWait().multipliedBy(2).toNanos(), TimeUnit.NANOSECONDS)
                        .held();
            }
            assertThat(terms).as("terms").isGreaterThan(clients.size());
            History history =
                    History.merge(clients.stream().map(CrashableClient::history).toList());
            history.judge(Checks.safety(), 1).get(0).orThrow();
        }
    }

    /**
     * The client of a leader dies, with a candidate behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el2_candidate_leads_within_the_silence_of_a_leader_that_died() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                CrashableClient dies = crashable("dies");
                MachineLateness lateness = new MachineLateness()) {
            LockUser other = run.user();
            led(dies, run);
            RuleRun.Task<Hold> next = run.waiting(other, election(run));
            awaitPresent(run, 2);
            next.assertStillWaits(subject().silence().plus(Timings.units(5)), "the leader lives");
            dies.kill();
            next.within(
                            subject().silence().plus(Timings.tolerance()).plus(lateness.allowance()),
                            "nobody leads since the leader died")
                    .release();
        }
    }

    /**
     * A leader stands still until another one leads, and looks at its term before anything else.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el3_leader_that_stood_still_learns_of_its_end_at_its_first_look() throws Exception {
        try (RuleRun run = new RuleRun(subject());
                CrashableClient stopped = stoppable("stopped")) {
            LockUser other = run.user();
            Hold term = led(stopped, run);
            assertThat(term.believesHeld()).as("whether a leader leads").isTrue();
            stopped.pause();
            Hold next = other.tryAcquire(election(run), subject().silence().plus(Timings.longWait()))
                    .orElseThrow(() -> new AssertionError("no candidate leads in place of a leader that stands still"));
            RuleRun.Task<Boolean> firstLook = run.start(term::believesHeld);
            stopped.resume();
            assertThat(firstLook.get())
                    .as("a leader that stood still assumes that it leads, while another candidate leads")
                    .isFalse();
            assertThat(next.release()).as("the other leader resigns").isTrue();
        }
    }

    /**
     * No request reaches the server any more. The client's own clock stops the work before another candidate leads, up
     * to the lateness of this machine's threads.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void el6_work_of_a_leader_that_is_cut_off_is_interrupted_before_another_leads() throws Exception {
        try (ProxiedSubject proxied = proxied();
                RuleRun run = new RuleRun(subject());
                MachineLateness lateness = new MachineLateness();
                Terms cutOff = new Terms((HaspSubject) proxied.subject(), run.lock());
                LockClient other = subject().connect()) {
            Candidate leader = cutOff.join();
            leader.begins(Timings.longWait(), "the only candidate leads");
            proxied.proxy().set(Direction.REQUESTS, TrafficPolicy.DROP);
            assertThat(other.election(run.lock()).await(proxied.lease().plus(Timings.longWait())))
                    .as("another leader after one that is cut off")
                    .isPresent();
            long elected = System.nanoTime();
            long interrupted = leader.isInterrupted(Timings.longWait(), "work of a leader that is cut off");
            proxied.proxy().heal();
            assertThat(Duration.ofNanos(interrupted - elected))
                    .as("from the next election to the interrupt")
                    .isLessThan(lateness.allowance());
        }
    }

    /** Without a queue on the server no count shows a candidate that waits. */
    private void awaitPresent(RuleRun run, int count) throws Exception {
        if (subject().claims().contains(Claimed.FIFO)) {
            RuleRun.awaitPresent(faults(), election(run), count);
        }
    }
}
