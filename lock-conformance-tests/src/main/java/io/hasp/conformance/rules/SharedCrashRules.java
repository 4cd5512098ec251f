package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.READ;
import static io.hasp.conformance.LockMode.WRITE;
import static io.hasp.conformance.LockMode.permits;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.rules.RuleRun.Task;
import io.hasp.conformance.rules.SharedRun.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RW and PE: holders and waiters of a shared lock die, or stand still. */
public interface SharedCrashRules extends RuleGroup {

    /**
     * One client dies that reads one lock and writes another.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw6_dead_reader_and_dead_writer_are_followed_within_their_silence() throws Exception {
        assertFollowed(
                Claimed.READ_WRITE,
                Timings.lease().plus(Timings.units(2)),
                List.of(new Succession(READ, WRITE), new Succession(WRITE, READ)));
    }

    /**
     * One client dies that has some permits of one semaphore and all of another.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe2_permits_of_a_dead_holder_are_anothers_within_its_silence() throws Exception {
        assertFollowed(
                Claimed.SEMAPHORE,
                Timings.units(1),
                List.of(new Succession(permits(2, 3), permits(3, 3)), new Succession(permits(3, 3), permits(1, 3))));
    }

    /** How a lock is held when its holder dies, and how its successor asks for it. */
    record Succession(LockMode dying, LockMode next) {}

    private void assertFollowed(Claimed kind, Duration alive, List<Succession> successions) throws Exception {
        try (SharedRun run = SharedRun.about(this, kind, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness()) {
            CrashableClient dying = run.crashable("dying");
            List<Task<Granted>> next = new ArrayList<>();
            for (Succession one : successions) {
                String name = run.lock() + "-" + successions.indexOf(one);
                run.take(dying, name, one.dying());
                next.add(run.queued(run.user(), name, one.next()));
            }
            next.get(0).assertStillWaits(alive, "the client that holds it lives");
            for (Task<Granted> one : next) {
                one.assertStillWaits(Duration.ZERO, "the client that holds it lives");
            }
            dying.kill();
            Duration limit = subject().silence().plus(Timings.tolerance()).plus(lateness.allowance());
            for (Succession one : successions) {
                next.get(successions.indexOf(one))
                        .within(
                                limit,
                                "the lock of a dead client (" + one.dying() + ") is still refused to " + one.next())
                        .release();
            }
        }
    }

    /**
     * One client stands still for longer than its server waits, as a reader of one lock and a writer of another.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw6_stopped_reader_and_stopped_writer_go_on_without_the_lock() throws Exception {
        assertGoesOnWithout(Claimed.READ_WRITE, List.of(new Succession(READ, WRITE), new Succession(WRITE, WRITE)));
    }

    /**
     * One client stands still for longer than its server waits, with some permits.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe2_stopped_holder_of_permits_goes_on_without_them() throws Exception {
        assertGoesOnWithout(Claimed.SEMAPHORE, List.of(new Succession(permits(2, 3), permits(3, 3))));
    }

    private void assertGoesOnWithout(Claimed kind, List<Succession> successions) throws Exception {
        try (SharedRun run = SharedRun.about(this, kind, Claimed.RENEWAL, Claimed.LOSS_DETECTION);
                MachineLateness lateness = new MachineLateness()) {
            CrashableClient stopped = run.crashable("stopped");
            LockUser other = run.user();
            List<Hold> holds = new ArrayList<>();
            List<Task<Granted>> next = new ArrayList<>();
            for (Succession one : successions) {
                String name = run.lock() + "-" + successions.indexOf(one);
                holds.add(run.take(stopped, name, one.dying()));
                next.add(run.queued(run.user(), name, one.next()));
            }
            stopped.pause();
            for (Task<Granted> one : next) {
                one.within(
                        subject().silence().plus(Timings.tolerance()).plus(lateness.allowance()),
                        "the lock of a client that stands still is still refused");
            }
            stopped.resume();
            for (int i = 0; i < holds.size(); i++) {
                Succession one = successions.get(i);
                assertThat(holds.get(i).believesHeld())
                        .as("whether a client that stood still believes in what another has (" + one.dying() + ")")
                        .isFalse();
                assertThat(holds.get(i).release())
                        .as("whether it could release it")
                        .isFalse();
                assertThat(other.tryAcquire(run.lock() + "-" + i, one.next(), Duration.ZERO))
                        .as("a third client asks for what the second has since the first stood still")
                        .isEmpty();
            }
            SharedRun.release(next);
        }
    }

    /**
     * Readers hold on before it and wait behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw7_dead_writer_in_the_queue_blocks_no_reader_behind_it() throws Exception {
        assertDeadHeadPassed(Claimed.READ_WRITE, READ, WRITE, READ);
    }

    /**
     * One permit is held before it, and one asked for behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void pe2_dead_request_in_the_queue_blocks_none_that_fits() throws Exception {
        assertDeadHeadPassed(Claimed.SEMAPHORE, permits(1, 3), permits(3, 3), permits(2, 3));
    }

    private void assertDeadHeadPassed(Claimed kind, LockMode held, LockMode dead, LockMode behind) throws Exception {
        try (SharedRun run = SharedRun.about(this, kind, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness()) {
            Hold hold = run.take(run.user(), held);
            CrashableClient dying = run.crashable("dying");
            run.queued(dying, dead);
            Task<Granted> waiting =
                    run.claims(Claimed.FIFO) ? run.queued(run.user(), behind) : run.asking(run.user(), behind);
            dying.kill();
            waiting.within(
                            subject().silence().plus(Timings.tolerance()).plus(lateness.allowance()),
                            "behind a dead waiter (" + dead + ") one that would fit still waits (" + behind + ")")
                    .release();
            assertThat(hold.release()).as("the holder's release succeeds").isTrue();
        }
    }
}
