package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Both sides in one process. */
class TurnsTest {
    private static final Duration SLICE = Duration.ofMillis(300);
    private static final String OWNER = "owner";
    private static final String OTHER = "other";

    private final List<String> uses = Collections.synchronizedList(new ArrayList<>());

    private final LocalLock lock = new LocalLock();

    private record Both(SliceLog owner, SliceLog other) {
        SliceResult result() {
            return SliceResult.of(SLICE, List.of(owner, other), ResourceUsage.UNKNOWN);
        }
    }

    /** Notes who uses which name. */
    private LockUser noting(String who) {
        return new LockUser() {
            @Override
            public Optional<Hold> tryAcquire(String name, Duration wait) throws InterruptedException {
                uses.add(who + " " + name);
                return lock.tryAcquire(name, wait);
            }

            @Override
            public void close() {}
        };
    }

    private static Workload workload(String experiment) {
        return Experiments.of(experiment).workloads(ComparisonTier.FULL).get(0);
    }

    private Both work(String experiment, LockUser owner, LockUser other) throws Exception {
        Workload workload = workload(experiment);
        TurnConnection.Listener listener = TurnConnection.Listener.open();
        long start = System.nanoTime();
        CompletableFuture<SliceLog> foreign = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                foreign.complete(
                        SliceLog.workInTurn(other, workload, false, TurnConnection.to(listener.port()), start, SLICE));
            } catch (IOException | ExecutionException | InterruptedException e) {
                foreign.completeExceptionally(e);
            }
        });
        thread.start();
        SliceLog own = SliceLog.workInTurn(owner, workload, true, listener.accept(), start, SLICE);
        thread.join();
        return new Both(own, foreign.get());
    }

    private Both work(String experiment) throws Exception {
        return work(experiment, noting(OWNER), noting(OTHER));
    }

    private static long finished(SliceLog log) {
        return log.workers().stream().mapToLong(WorkerLog::finished).sum();
    }

    private static long timed(SliceLog log) {
        return log.workers().stream()
                .map(WorkerLog::times)
                .mapToLong(Histogram::getTotalCount)
                .sum();
    }

    @Test
    void processes_that_alternate_take_one_name_strictly_in_turn() throws Exception {
        Both both = work("alternating");

        assertThat(uses.size()).isGreaterThan(10);
        for (int use = 0; use < uses.size(); use++) {
            assertThat(uses.get(use)).isEqualTo((use % 2 == 0 ? OWNER : OTHER) + " alternating-0");
        }
        assertThat(timed(both.owner())).isEqualTo(timed(both.other())).isEqualTo(uses.size() / 2);
        assertThat(both.result().safety()).isEqualTo(new Safety(uses.size(), 0, 0, 0));
    }

    @Test
    void foreign_demand_is_the_share_of_the_cycles_that_the_name_says_and_hits_the_name_just_used() throws Exception {
        for (int percent : List.of(1, 10, 50)) {
            uses.clear();
            Both both = work("foreign-" + percent);

            long foreign = timed(both.other());
            assertThat(uses.subList(0, 100)).as("each name once, before").allMatch(each -> each.startsWith(OWNER));
            assertThat(timed(both.owner()) + foreign).isEqualTo(uses.size() - 100);
            double share = 100.0 * foreign / timed(both.owner());
            assertThat(share).as("%").isCloseTo(percent, within(percent / 2.0));
            assertThat(uses.stream().filter(each -> each.startsWith(OWNER)).distinct())
                    .hasSize(100);
            for (int use = 1; use < uses.size(); use++) {
                if (uses.get(use).startsWith(OTHER)) {
                    assertThat(uses.get(use - 1)).isEqualTo(uses.get(use).replace(OTHER, OWNER));
                }
            }
            assertThat(both.result().safety().holds()).isEqualTo(uses.size());
        }
    }

    @Test
    void a_recall_is_timed_where_the_other_process_first_takes_what_the_owner_has_used_twice() throws Exception {
        Both both = work("recall");

        for (int use = 0; use < uses.size(); use++) {
            assertThat(uses.get(use)).startsWith(use % 4 < 2 ? OWNER : OTHER).endsWith("-" + use / 4 % 100);
        }
        assertThat(timed(both.owner())).isZero();
        assertThat(finished(both.owner())).isZero();
        assertThat(timed(both.other())).isEqualTo(uses.size() / 4);
        assertThat(finished(both.other())).isBetween(1L, timed(both.other()));
        assertThat(both.result().safety().holds()).isEqualTo(uses.size());
    }

    @Test
    void what_is_timed_is_the_wait_in_a_recall_and_the_whole_cycle_in_the_others() throws Exception {
        Duration slow = Duration.ofMillis(20);
        LockUser slowToRelease = releasingIn(slow);

        SliceResult recall = work("recall", noting(OWNER), slowToRelease).result();
        SliceResult alternating =
                work("alternating", slowToRelease, slowToRelease).result();

        assertThat(Metric.WAIT_P50.of(recall)).isLessThan((double) slow.toMillis());
        assertThat(Metric.CYCLE_MEAN.of(alternating)).isGreaterThanOrEqualTo(slow.toMillis() * 1000.0);
    }

    private LockUser releasingIn(Duration time) {
        return new LockUser() {
            @Override
            public Optional<Hold> tryAcquire(String name, Duration wait) throws InterruptedException {
                return lock.tryAcquire(name, wait).map(hold -> () -> {
                    Thread.sleep(time.toMillis());
                    return hold.release();
                });
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void a_token_that_does_not_grow_from_one_process_to_the_other_is_seen() throws Exception {
        LocalLock stuck = new LocalLock().withToken(counter -> 7);

        Both both = work("alternating", stuck, stuck);

        assertThat(both.owner().workers()).hasSize(1);
        assertThat(both.result().safety().staleTokens()).isPositive();
    }

    @Test
    void a_lock_that_fails_for_the_other_process_ends_the_owner_at_once_and_is_told_by_the_other() throws Exception {
        LockUser down = new LockUser() {
            @Override
            public Optional<Hold> tryAcquire(String name, Duration wait) {
                throw new IllegalStateException("connection refused");
            }

            @Override
            public void close() {}
        };

        assertThatThrownBy(() -> work("alternating", noting(OWNER), down))
                .hasStackTraceContaining("connection refused");
        assertThat(uses).as("of the owner, which did not go on alone").hasSize(1);
    }

    @Test
    void the_mean_of_cycles_is_in_microseconds() {
        SliceResult result = new SliceResult(
                SLICE,
                List.of(2L),
                new Histogram(3),
                WatchedHolds.of(Safety.NOTHING_SEEN),
                ResourceUsage.UNKNOWN,
                TrialResult.NONE);
        LongStream.of(1_000, 9_000).forEach(result.times()::recordValue);

        assertThat(Metric.CYCLE_MEAN.of(result)).isCloseTo(5, within(0.1));
    }
}
