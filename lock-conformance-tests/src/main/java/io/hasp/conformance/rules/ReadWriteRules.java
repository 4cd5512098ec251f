package io.hasp.conformance.rules;

import static io.hasp.conformance.LockMode.READ;
import static io.hasp.conformance.LockMode.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import io.hasp.conformance.processes.CounterFile;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.rules.support.MachineLateness;
import io.hasp.conformance.rules.support.MostlyWaits;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun.Task;
import io.hasp.conformance.rules.support.SharedRun;
import io.hasp.conformance.rules.support.SharedRun.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RW: the combinations of holders of a read-write lock. */
public interface ReadWriteRules extends RuleGroup {

    /**
     * Of several clients, and several of one client.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw1_readers_hold_the_lock_together() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            List<Hold> holds = new ArrayList<>();
            for (LockUser user : run.users(3)) {
                holds.add(run.take(user, READ));
                holds.add(run.take(user, READ));
            }
            assertThat(holds).as("whether each of six readers believes").allMatch(Hold::believesHeld);
            for (Hold hold : holds) {
                assertThat(hold.release()).as("the reader's release succeeds").isTrue();
            }
        }
    }

    /**
     * Among readers and among writers, of other clients and of its own.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw1_writer_holds_the_lock_alone() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE)) {
            LockUser first = run.user();
            LockUser second = run.user();
            Hold written = run.take(first, WRITE);
            for (LockUser other : List.of(first, second)) {
                run.assertRefused(other, READ, "the first writes");
                run.assertRefused(other, WRITE, "the first writes");
            }
            assertThat(written.release()).as("the writer's release succeeds").isTrue();
            Hold read = run.take(first, READ);
            Hold beside = run.take(second, READ);
            run.assertRefused(second, WRITE, "two read");
            read.release();
            run.assertRefused(first, WRITE, "one still reads");
            beside.release();
            run.take(second, WRITE).release();
        }
    }

    /**
     * Readers and writers in turn, of different clients.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void rw8_token_is_larger_than_that_of_every_earlier_grant_it_excludes() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.FENCING_TOKEN)) {
            List<LockUser> users = run.users(3);
            long written = 0;
            for (int round = 0; round < 30; round++) {
                long largest = written;
                List<Hold> reading = new ArrayList<>();
                for (LockUser user : users) {
                    Hold hold = run.take(user, READ);
                    long token = hold.token().orElseThrow();
                    assertThat(token)
                            .as("token of a reader after that of a writer")
                            .isGreaterThan(written);
                    largest = Math.max(largest, token);
                    reading.add(hold);
                }
                for (Hold hold : reading) {
                    hold.release();
                }
                Hold hold = run.take(users.get(round % 3), WRITE);
                written = hold.token().orElseThrow();
                assertThat(written)
                        .as("token of a writer after that of readers and writers")
                        .isGreaterThan(largest);
                hold.release();
            }
        }
    }

    /**
     * A reader waits, and a writer behind it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void rw9_downgrade_lets_readers_in_and_no_writer() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.DOWNGRADE);
                MachineLateness lateness = new MachineLateness()) {
            LockUser first = run.user();
            Hold written = run.take(first, WRITE);
            Task<Granted> reader = run.queued(run.user(), READ);
            Task<Granted> writer = run.queued(run.user(), WRITE);

            Hold read = written.downgrade();

            if (run.claims(Claimed.LOSS_DETECTION)) {
                assertThat(written.believesHeld())
                        .as("a writer that was downgraded to a reader still assumes its write lock")
                        .isFalse();
            }
            Granted beside = reader.within(
                    Timings.tolerance().plus(lateness.allowance()),
                    "a reader still waits for a client that no longer writes");
            if (run.claims(Claimed.FENCING_TOKEN)) {
                assertThat(read.token().orElseThrow())
                        .as("token of the reader that was a writer")
                        .isGreaterThan(written.token().orElseThrow());
            }
            writer.assertStillWaits(Timings.lease().plus(Timings.units(2)), "two read, one of them after writing");
            assertThat(read.believesHeld())
                    .as("the downgraded writer assumes its read lock")
                    .isTrue();
            beside.release();
            writer.assertStillWaits(Timings.units(2), "one still reads that wrote before");
            assertThat(read.release()).as("the reader's release succeeds").isTrue();
            writer.within(
                            Timings.tolerance().plus(lateness.allowance()),
                            "a writer still waits for a lock nobody reads")
                    .release();
        }
    }

    /**
     * Renewed before and after it.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void rw9_renewals_after_a_downgrade_shut_out_no_reader() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.DOWNGRADE, Claimed.RENEWAL)) {
            Hold written = run.take(run.user(), WRITE);
            LockUser other = run.user();
            long end = System.nanoTime() + Timings.units(7).toNanos();
            while (System.nanoTime() - end < 0) {
                run.assertRefused(other, READ, "the first writes, and its client lives");
                // Not a wait for something to happen: the interval at which "nothing happened" is sampled.
                Thread.sleep(Timings.units(0.5).toMillis());
            }
            Hold read = written.downgrade();
            Duration aRenewal = Timings.units(10);
            run.assertOnlyFits(aRenewal, other, READ, WRITE, "the first reads after writing, and its client lives");
            assertThat(read.release()).as("the reader's release succeeds").isTrue();
        }
    }

    /**
     * Two readers come after a writer whose lease ran out, and another writer after them.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @MostlyWaits
    default void fe6_store_with_two_numbers_refuses_former_holders_and_no_reader_because_of_another() throws Exception {
        try (SharedRun run = SharedRun.about(this, Claimed.READ_WRITE, Claimed.FENCING_TOKEN, Claimed.FIXED_LEASE);
                ScratchFolder folder = ScratchFolder.create();
                CounterFile store = CounterFile.open(folder.path().resolve("store"))) {
            long former = token(run.take(run.user(), WRITE, Timings.units(10)));
            assertThat(store.write(former, 1)).as("a write of the holder").isTrue();
            Task<Granted> waiting = run.behind(run.user(), READ);
            Hold first = waiting.within(Timings.longWait(), "the lease of 10 units never ended")
                    .hold();
            Hold second = run.take(run.user(), READ);

            assertThat(store.readShared(token(second)))
                    .as("a read of the second reader")
                    .hasValue(1);
            assertThat(store.readShared(token(first)))
                    .as("a read of the first reader, whose token is smaller, after one of the second")
                    .hasValue(1);
            assertThat(store.write(former, 2))
                    .as("a write of the former writer after two reads")
                    .isFalse();
            first.release();
            second.release();
            Hold next = run.take(run.user(), WRITE);
            assertThat(store.write(token(next), 3))
                    .as("a write of the next writer")
                    .isTrue();
            assertThat(store.readShared(token(second)))
                    .as("a read of a former reader after a write with a larger token")
                    .isEmpty();
            assertThat(store.read()).as("what the store has").isEqualTo(3);
            next.release();
        }
    }

    private static long token(Hold hold) {
        return hold.token().orElseThrow();
    }
}
