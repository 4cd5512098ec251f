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
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.SharedRun;
import io.hasp.conformance.rules.support.SharedRun.Granted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RW and PE: holders and waiters of a shared lock die or stop. */
public interface SharedCrashRules extends RuleGroup {

    /**
     * One client dies, and another stands still for longer than its server waits; each reads one lock and writes another.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void rw6_dead_or_stopped_reader_and_writer_are_followed_within_their_silence() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness()) {
            List<CrashableClient> clients = run.crashable("dying", "stopped");
            List<Succession> all = List.of(
                    Succession.of(run, clients.get(0), READ, WRITE),
                    Succession.of(run, clients.get(0), WRITE, READ),
                    Succession.of(run, clients.get(1), READ, WRITE),
                    Succession.of(run, clients.get(1), WRITE, WRITE));
            all.get(0).assertRenewed(Timings.lease().plus(Timings.units(2)));
            assertFollowed(run, lateness, clients.get(0), clients.get(1), all);
        }
    }

    /**
     * Readers hold on before it and wait behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void rw7_dead_writer_in_the_queue_blocks_no_reader_behind_it() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness()) {
            CrashableClient dying = run.crashable("dying").get(0);
            Task<Granted> behind = behindDying(run, dying, READ, WRITE, READ);
            dying.kill();
            assertPassed(lateness, behind, WRITE);
        }
    }

    /**
     * As for readers and writers, all in one: a holder that dies, one that stands still, and a request that died in the queue.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void pe2_dead_or_stopped_holder_and_dead_request_hold_nobody_up() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.SEMAPHORE, Claimed.RENEWAL);
                MachineLateness lateness = new MachineLateness()) {
            List<CrashableClient> clients = run.crashable("dying", "stopped");
            CrashableClient dying = clients.get(0);
            Task<Granted> behind = behindDying(run, dying, permits(1, 3), permits(3, 3), permits(2, 3));
            List<Succession> all = List.of(
                    Succession.of(run, dying, permits(2, 3), permits(3, 3)),
                    Succession.of(run, dying, permits(3, 3), permits(1, 3)),
                    Succession.of(run, clients.get(1), permits(2, 3), permits(3, 3)));
            assertFollowed(run, lateness, dying, clients.get(1), all);
            assertPassed(lateness, behind, permits(3, 3));
        }
    }

    /** A lock that a client holds, and who waits for it. */
    record Succession(
            CrashableClient client, String lock, LockMode held, Hold hold, LockMode asked, Task<Granted> next) {

        static Succession of(SharedRun run, CrashableClient client, LockMode held, LockMode asked) throws Exception {
            String lock = run.lock() + "-" + client.name() + "-" + held;
            Hold hold = run.take(client, lock, held);
            return new Succession(client, lock, held, hold, asked, run.queued(run.user(), lock, asked));
        }

        void assertRenewed(Duration time) throws Exception {
            next.assertStillWaits(time, "the client that holds it lives");
        }
    }

    private void assertFollowed(
            SharedRun run,
            MachineLateness lateness,
            CrashableClient dying,
            CrashableClient stopped,
            List<Succession> all)
            throws Exception {
        LockUser third = run.user();
        for (Succession one : all) {
            one.assertRenewed(Duration.ZERO);
        }
        dying.kill();
        stopped.pause();
        for (Succession one : all) {
            one.next()
                    .within(
                            limit(lateness),
                            "the lock of a client that is " + one.client().name() + " (" + one.held()
                                    + ") is still refused to a client that requests " + one.asked());
        }
        stopped.resume();
        for (Succession one : all) {
            if (one.client().equals(stopped)) {
                assertGoesOnWithout(run, one, third);
            }
            one.next().get().hold().release();
        }
    }

    private static void assertGoesOnWithout(SharedRun run, Succession one, LockUser third) throws Exception {
        boolean believed = one.hold().believesHeld();
        boolean released = one.hold().release();
        if (run.claims(Claimed.LOSS_DETECTION)) {
            assertThat(believed)
                    .as("a client that stood still assumes a lock that another client has (" + one.held() + ")")
                    .isFalse();
            assertThat(released)
                    .as("a client that stood still released a lock that another client has (" + one.held() + ")")
                    .isFalse();
        }
        assertThat(third.tryAcquire(one.lock(), one.asked(), Duration.ZERO))
                .as("a third client asks for what the second has since the first stood still")
                .isEmpty();
    }

    private Duration limit(MachineLateness lateness) {
        return subject().silence().plus(Timings.tolerance()).plus(lateness.allowance());
    }

    /** One holds a part, the client that will die waits for all, and one waits behind it who fits beside the first. */
    private static Task<Granted> behindDying(
            SharedRun run, CrashableClient dying, LockMode held, LockMode dead, LockMode behind) throws Exception {
        String lock = run.lock() + "-queue";
        run.take(run.user(), lock, held);
        run.queued(dying, lock, dead);
        return run.behind(run.user(), lock, behind);
    }

    private void assertPassed(MachineLateness lateness, Task<Granted> behind, LockMode dead) throws Exception {
        behind.within(limit(lateness), "behind a dead waiter (" + dead + ") one that would fit still waits")
                .hold()
                .release();
    }
}
