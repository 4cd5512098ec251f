package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleGroup;
import io.hasp.conformance.rules.support.RuleRun;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** AP: the remains of many uses, in the client and on the server. */
public interface EnduranceRules extends RuleGroup {
    /** Above the effects of pools, caches and chance; a leak of one in a hundred cycles exceeds it. */
    int SLACK = 60;

    /** Allowed growth, above the allocations of the rest of the JVM. */
    long HEAP_SLACK = 6L << 20;

    /**
     * Returns the number of cycles that this subject has to endure.
     *
     * @return ten thousand, in the full tier a hundred thousand
     */
    default int cycles() {
        return Tier.count(10_000, 100_000);
    }

    /**
     * Returns the number of locks held at once. All are renewed three times within the suite's short lease, while all
     * the other tests run. (The comparison's experiment {@code watchdog} has ten thousand with a usual lease.)
     *
     * @return five hundred, in the full tier two thousand
     */
    default int locksAtOnce() {
        return Tier.count(500, 2_000);
    }

    /**
     * Eight threads of two clients, each with a lock of its own.
     *
     * @throws Exception if the subject fails
     */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    default void ap8_many_cycles_leave_threads_heap_and_the_servers_data_flat() throws Exception {
        try (RuleRun run = new RuleRun(subject())) {
            List<LockUser> users = run.users(2);
            cycle(run, users, cycles() / 10);
            int threads = threads();
            long heap = usedHeap();
            long kept = faults().kept();
            cycle(run, users, cycles());
            Awaitility.await("flat after " + cycles() + " cycles")
                    .atMost(Timings.longWait())
                    .untilAsserted(() -> {
                        assertThat(faults().kept())
                                .as("keys or nodes on the server")
                                .isLessThan(kept + SLACK);
                        assertThat(threads()).as("threads").isLessThan(threads + SLACK);
                        assertThat(usedHeap() - heap)
                                .as("growth of the heap in bytes")
                                .isLessThan(HEAP_SLACK);
                    });
        }
    }

    private static void cycle(RuleRun run, List<LockUser> users, int cycles) throws Exception {
        AtomicInteger left = new AtomicInteger(cycles);
        List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockUser user = users.get(i % users.size());
            String lock = run.lock() + "-" + i;
            tasks.add(run.start(() -> {
                while (left.getAndDecrement() > 0) {
                    assertThat(user.tryAcquire(lock, Timings.longWait())
                                    .orElseThrow()
                                    .release())
                            .as("a lock whose client lives was lost")
                            .isTrue();
                }
                return 0;
            }));
        }
        for (RuleRun.Task<Integer> task : tasks) {
            task.get(Duration.ofMinutes(10));
        }
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /**
     * One client holds them all, for longer than a lease.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void ap8_many_locks_at_once_are_all_kept_and_all_given_back() throws Exception {
        int many = locksAtOnce();
        try (RuleRun run = RuleRun.about(subject(), Claimed.RENEWAL)) {
            LockUser user = run.user();
            LockUser other = run.user();
            Queue<Hold> held = new ConcurrentLinkedQueue<>();
            AtomicInteger next = new AtomicInteger();
            List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tasks.add(run.start(() -> {
                    for (int n = next.getAndIncrement(); n < many; n = next.getAndIncrement()) {
                        held.add(user.tryAcquire(run.lock() + "-" + n, Timings.longWait())
                                .orElseThrow(() -> new AssertionError("a lock of many was refused that nobody holds")));
                    }
                    return 0;
                }));
            }
            for (RuleRun.Task<Integer> task : tasks) {
                task.get(Duration.ofMinutes(2));
            }
            run.assertHeldFor(Timings.lease().plus(Timings.units(5)), run.take(user), other);
            assertThat(held).hasSize(many).allSatisfy(hold -> {
                assertThat(hold.believesHeld())
                        .as("whether a lock of many is held")
                        .isTrue();
                assertThat(hold.release())
                        .as("whether a lock of many was held until its release")
                        .isTrue();
            });
            assertThat(other.tryAcquire(run.lock() + "-" + many / 2, Timings.tolerance()))
                    .as("a lock of many after its release")
                    .isPresent();
        }
    }
}
