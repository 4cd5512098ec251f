package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.LockMode;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SafetyTest {

    @Test
    void holds_of_several_threads_that_follow_each_other_are_fine() {
        Safety seen = seenIn(
                List.of(worker("a", hold(0, 10, 1), hold(20, 30, 3)), worker("a", hold(10, 20, 2), hold(31, 32, 4))));

        assertThat(seen).isEqualTo(new Safety(4, 0, 0, 0));
    }

    @Test
    void a_hold_that_began_within_a_much_longer_one_overlaps_although_others_came_between() {
        Safety seen = seenIn(List.of(
                worker("a", hold(0, 100, 1)), worker("a", hold(10, 20, 2), hold(30, 40, 3), hold(100, 110, 4))));

        assertThat(seen.overlaps()).isEqualTo(2);
        assertThat(seen.staleTokens()).isZero();
    }

    @Test
    void a_token_that_came_to_another_thread_before_is_stale() {
        Safety seen = seenIn(List.of(worker("a", hold(0, 10, 7)), worker("a", hold(20, 30, 7), hold(40, 50, 8))));

        assertThat(seen.staleTokens()).isEqualTo(1);
    }

    @Test
    void holds_of_different_locks_have_nothing_to_do_with_each_other() {
        Safety seen = seenIn(List.of(worker("a", hold(0, 10, 7)), worker("b", hold(5, 15, 7))));

        assertThat(seen).isEqualTo(new Safety(2, 0, 0, 0));
    }

    @Test
    void times_may_pass_the_end_of_the_range_of_numbers() {
        long late = Long.MAX_VALUE - 5;

        Safety seen =
                seenIn(List.of(worker("a", hold(late, late + 10, 1)), worker("a", hold(late + 10, late + 20, 2))));

        assertThat(seen).isEqualTo(new Safety(2, 0, 0, 0));
    }

    @Test
    void readers_may_be_in_together_and_a_writer_may_not_be_beside_one() {
        Safety seen = seenIn(List.of(
                worker("a", LockMode.READ, hold(0, 10, 1), hold(30, 50, 5)),
                worker("a", LockMode.READ, hold(1, 20, 2)),
                worker("a", LockMode.WRITE, hold(20, 30, 3), hold(40, 60, 6))));

        assertThat(seen).isEqualTo(new Safety(5, 1, 0, 0));
    }

    @Test
    void tokens_of_readers_have_no_order_among_each_other_and_those_of_a_writer_have_one_to_all() {
        Safety readers = seenIn(List.of(
                worker("a", LockMode.READ, hold(0, 10, 2), hold(20, 30, 1)),
                worker("a", LockMode.WRITE, hold(30, 40, 3))));
        Safety late = seenIn(
                List.of(worker("a", LockMode.READ, hold(0, 10, 4)), worker("a", LockMode.WRITE, hold(10, 20, 3))));

        assertThat(readers.staleTokens()).isZero();
        assertThat(late.staleTokens()).isEqualTo(1);
    }

    @Test
    void never_are_more_permits_out_than_there_are() {
        LockMode two = LockMode.permits(2, 3);
        LockMode one = LockMode.permits(1, 3);
        Safety seen = seenIn(List.of(
                worker("a", two, hold(0, 10, 1)), worker("a", one, hold(1, 20, 2)), worker("a", one, hold(5, 8, 3))));

        assertThat(seen.overlaps()).isEqualTo(1);
    }

    @Test
    void the_locks_of_one_thread_are_watched_each_by_itself() {
        HoldLog here = new HoldLog();
        here.add(0, 0, 10, OptionalLong.of(1), LockMode.EXCLUSIVE);
        here.add(1, 5, 15, OptionalLong.of(1), LockMode.EXCLUSIVE);
        HoldLog there = new HoldLog();
        there.add(1, 14, 20, OptionalLong.of(2), LockMode.EXCLUSIVE);
        there.add(0, 21, 22, OptionalLong.of(1), LockMode.EXCLUSIVE);

        Safety seen = seenIn(List.of(worker(List.of("a", "b"), here), worker(List.of("a", "b"), there)));

        assertThat(seen).isEqualTo(new Safety(4, 1, 1, 0));
    }

    private static WorkerLog worker(List<String> locks, HoldLog holds) {
        return new WorkerLog(locks, holds.size(), 0, new Histogram(3), holds);
    }

    @Test
    void a_slice_log_arrives_in_another_process_as_it_was_sent() {
        WorkerLog sent = worker("a", hold(0, 10, 7), hold(20, 30, 9));
        sent.times().recordValue(1234);

        SliceLog arrived = SliceLog.ofArguments(new SliceLog(List.of(sent, worker("b")), 1, 2).toArguments());

        assertThat(arrived.workers()).hasSize(2);
        WorkerLog worker = arrived.workers().get(0);
        assertThat(worker.times()).isEqualTo(sent.times());
        assertThat(List.of(worker.lockNames(), worker.finished(), worker.lostHolds()))
                .containsExactly(List.of("a"), 2L, 0L);
        HoldLog.Cursor hold = worker.holds().cursor();
        assertThat(hold.next()).isTrue();
        assertThat(hold.next()).isTrue();
        assertThat(List.of(hold.entered(), hold.left(), hold.token())).containsExactly(20L, 30L, 9L);
        assertThat(hold.next()).isFalse();
    }

    private static Safety seenIn(List<WorkerLog> workers) {
        return WatchedHolds.of(workers).safety();
    }

    private record Held(long entered, long left, long token) {}

    private static Held hold(long entered, long left, long token) {
        return new Held(entered, left, token);
    }

    private static WorkerLog worker(String lock, Held... holds) {
        return worker(lock, LockMode.EXCLUSIVE, holds);
    }

    private static WorkerLog worker(String lock, LockMode mode, Held... holds) {
        HoldLog log = new HoldLog();
        for (Held hold : holds) {
            log.add(0, hold.entered(), hold.left(), OptionalLong.of(hold.token()), mode);
        }
        return new WorkerLog(List.of(lock), holds.length, 0, new Histogram(3), log);
    }
}
