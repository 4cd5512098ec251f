package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.READ;
import static io.hasp.conformance.LockMode.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.LeavingWaiter;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.SharedRun;
import io.hasp.conformance.rules.support.SharedRun.Granted;
import io.hasp.conformance.rules.support.UnbrokenHolders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** RW: readers and writers that wait. */
public interface ReadWriteQueueRules extends RuleGroup {
    /** So many rounds do not count if the machine stands still in them; in the next ones its lateness is no excuse. */
    int MOST_LATE_ROUNDS = 20;

    /**
     * Two readers take turns so that one of them always reads, as long as the next one is let in.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw2_writer_is_not_starved_by_readers_that_come_and_go() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            UnbrokenHolders readers = UnbrokenHolders.start(run, READ);
            LockUser writer = run.user();
            readers.awaitTurns(10);
            Task<Optional<Hold>> asked =
                    run.start(() -> writer.tryAcquire(run.lock(), WRITE, UnbrokenHolders.PATIENCE));
            Optional<Hold> written = asked.get();
            assertThat(written)
                    .as("a writer that waited for " + UnbrokenHolders.PATIENCE + " while readers came and went")
                    .isPresent();
            assertThat(written.orElseThrow().release()).isTrue();
            readers.stop();
        }
    }

    /**
     * Many clients make attempts without a wait, and some queue. All queue again in each round, because their waits are
     * limited.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw3_no_reader_that_came_after_a_queued_writer_is_granted_before_it() throws Exception {
        int newcomers = 500;
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.FIFO)) {
            LockUser holder = run.user();
            LockUser waiter = run.user();
            List<LockUser> readers = run.users(4);
            int counted = 0;
            for (int round = 0; counted < Tier.count(2, 20); round++) {
                try (MachineLateness lateness = new MachineLateness()) {
                    Hold read = run.take(holder, READ);
                    Task<Granted> writer = run.queued(waiter, WRITE);
                    List<Task<Granted>> queued = new ArrayList<>();
                    for (LockUser reader : readers) {
                        queued.add(run.queued(reader, READ));
                    }
                    int passed = passing(run, readers, newcomers);
                    // A waiter that polls too late loses its place.
                    if (round < MOST_LATE_ROUNDS && lateness.worst().compareTo(Timings.units(0.5)) > 0) {
                        assertThat(read.release()).isTrue();
                        queued.add(writer);
                        releaseInAnyOrder(run, queued);
                        continue;
                    }
                    counted++;
                    writer.assertStillWaits(Duration.ZERO, "somebody reads");
                    assertThat(passed)
                            .as("readers that came after a queued writer and were granted before it, of " + newcomers)
                            .isZero();
                    assertThat(read.release()).isTrue();
                    Granted written = writer.get();
                    for (Task<Granted> one : queued) {
                        one.assertStillWaits(Duration.ZERO, "a writer that was queued before it has the lock");
                    }
                    written.release();
                    SharedRun.release(queued);
                }
            }
        }
    }

    private static void releaseInAnyOrder(SharedRun run, List<Task<Granted>> waiting) throws Exception {
        List<Task<Boolean>> releasing = new ArrayList<>();
        for (Task<Granted> one : waiting) {
            releasing.add(run.start(() -> {
                one.get().release();
                return true;
            }));
        }
        for (Task<Boolean> one : releasing) {
            one.get();
        }
    }

    private static int passing(SharedRun run, List<LockUser> readers, int newcomers) throws Exception {
        AtomicInteger passed = new AtomicInteger();
        List<Task<Integer>> asking = new ArrayList<>();
        for (LockUser reader : readers) {
            asking.add(run.start(() -> {
                int asked = 0;
                for (; asked < newcomers / readers.size(); asked++) {
                    Optional<Hold> hold = reader.tryAcquire(run.lock(), READ, Duration.ZERO);
                    if (hold.isPresent()) {
                        passed.incrementAndGet();
                        hold.get().release();
                    }
                }
                return asked;
            }));
        }
        for (Task<Integer> task : asking) {
            task.get(Timings.longWait().multipliedBy(6));
        }
        return passed.get();
    }

    /**
     * Several readers behind a writer, and a writer behind them.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw4_readers_that_wait_next_to_each_other_enter_with_one_release() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            LockUser holder = run.user();
            List<LockUser> readers = run.users(4);
            List<Duration> rounds = new ArrayList<>();
            for (int round = 0; round < 9; round++) {
                Hold written = run.take(holder, WRITE);
                List<Task<Granted>> waiting = new ArrayList<>();
                for (LockUser reader : readers) {
                    waiting.add(run.queued(reader, READ));
                }
                rounds.add(SharedRun.untilTheLast(
                        SharedRun.release(written), waiting, "the writer has released, and a reader still waits"));
                SharedRun.release(waiting);
            }
            SharedRun.assertPrompt(rounds, "four readers that waited for one writer");
        }
    }

    /**
     * It is interrupted, loses patience, or its client is closed, while another reader reads on.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw5_readers_enter_when_the_writer_before_them_gives_up() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            Hold read = run.take(run.user(), READ);
            LockUser staying = run.user();
            List<LockUser> readers = run.users(2);
            List<Duration> rounds = new ArrayList<>();
            for (int round = 0; round < 9; round++) {
                LeavingWaiter writer = LeavingWaiter.queued(run, staying, WRITE);
                List<Task<Granted>> waiting = behind(run, readers);
                rounds.add(enter(writer::interrupt, waiting, "was interrupted"));
            }
            SharedRun.assertPrompt(rounds, "two readers behind a writer that gave up");

            LeavingWaiter impatient = LeavingWaiter.queued(run, staying, WRITE, Timings.units(5));
            List<Task<Granted>> waiting = behind(run, readers);
            enter(impatient::losePatience, waiting, "lost patience");
            LockUser closing = run.user();
            LeavingWaiter closed = LeavingWaiter.queued(run, closing, WRITE);
            waiting = behind(run, readers);
            enter(() -> closed.close(closing), waiting, "was closed");
            assertThat(read.release()).as("the reader's release succeeds").isTrue();
        }
    }

    private static List<Task<Granted>> behind(SharedRun run, List<LockUser> readers) throws Exception {
        List<Task<Granted>> waiting = new ArrayList<>();
        for (LockUser reader : readers) {
            waiting.add(run.behind(reader, READ));
        }
        return waiting;
    }

    private static Duration enter(Callable<Long> leaving, List<Task<Granted>> waiting, String how) throws Exception {
        Duration took = SharedRun.untilTheLast(
                leaving, waiting, "a reader still waits behind a writer that " + how + ", though others read");
        assertThat(took)
                .as("how long a reader waited behind a writer that " + how)
                .isLessThan(Timings.tolerance().multipliedBy(2));
        SharedRun.release(waiting);
        return took;
    }
}
