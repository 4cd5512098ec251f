package io.hasp.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.SteppedClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds each fault in the engine within a minute of processor time, shrinking included. The smaller tiers try some of the
 * faults. A mutant that blocks without end uses no processor time, so real time has a limit, too.
 */
class EngineMutantsTest {
    private static final String TIER = System.getProperty("hasp.tier", "fast");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long MOST_MILLIS = 60_000;
    /** A run takes some milliseconds. */
    private static final long LONGEST_RUN_MILLIS = 10_000;

    private static final long SAMPLE_MILLIS = 250;
    private static final int STILL_SAMPLES = 6;
    /** Waiting threads look at their limits now and then. */
    private static final long NOTHING_NANOS = 5_000_000;
    /** Those that are found soonest. */
    private static final Set<String> FAST = Set.of(
            "close does not wait for what is owed",
            "event ReleaseAnswered is dropped",
            "keep 1: a reuse moves the deadline");
    /** One of each kind. */
    private static final Set<String> STANDARD = Set.of(
            "a transfer takes a claim that was sent",
            "close does not wait for what is owed",
            "what a late answer leaves is not withdrawn",
            "event ReleaseAnswered is dropped",
            "closing: leases in use are given back",
            "effect Withdraw is dropped",
            "effects are started in the opposite order",
            "share: a new lease replaces the others",
            "lower: the machine forgets the new lease",
            "keep 1: a reuse moves the deadline",
            "keep 5: a recall in use is forgotten",
            "retain: the lock is released",
            "retain: a lease that is lost is released",
            "fail-stop: an error of the backend is an outage",
            "fail-stop: those that wait are left",
            "who is refused for what its own client gives back is not told that it is gone",
            "a try is refused for a lease of its own client that is over",
            "threads: a caller starts what comes for others",
            "threads: the log is written where a line is logged",
            "threads: work is interrupted where observers run",
            "threads: the lease is withdrawn before its work is interrupted",
            "all of: the others stay when one is lost",
            "election: a term outlives its lease");

    private static Stream<SourceMutant> all() {
        return Stream.of(
                        EngineDecisionMutants.all(),
                        EngineEventMutants.all(),
                        EngineEffectMutants.all(),
                        EngineTransitionMutants.all(),
                        EngineReentrantLockMutants.all(),
                        EngineSharedLockMutants.all(),
                        EngineKeepMutants.all(),
                        EngineRetainMutants.all(),
                        EngineFailStopMutants.all(),
                        EngineThreadMutants.all(),
                        EngineAllOfMutants.all(),
                        EngineElectionMutants.all())
                .flatMap(List::stream);
    }

    static List<SourceMutant> mutants() {
        String only = System.getProperty("hasp.mutant");
        return all().filter(mutant -> only != null ? mutant.name().contains(only) : isOfTier(mutant.name()))
                .toList();
    }

    private static boolean isOfTier(String mutant) {
        return switch (TIER) {
            case "fast" -> FAST.contains(mutant);
            case "standard" -> STANDARD.contains(mutant);
            default -> true;
        };
    }

    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @MethodSource("mutants")
    @DisplayName("is found")
    void is_found(SourceMutant mutant) throws Exception {
        long begun = System.nanoTime();
        String found = hunted(mutant);
        System.out.println("mutant '" + mutant.name() + "', "
                + (System.nanoTime() - begun) / 1_000_000 + " ms: "
                + (found == null ? "not found" : found.lines().findFirst().orElse("")));
        assertThat(found).as(mutant.name()).isNotNull();
    }

    /** The simulator's finding in a mutant; null for none. A call that never returns counts as found. */
    static @Nullable String hunted(SourceMutant mutant) throws Exception {
        Method hunt = new MutantLoader(mutant)
                .loadClass(Simulator.class.getName())
                .getMethod("hunt", String.class, long.class);
        CompletableFuture<@Nullable Object> found = new CompletableFuture<>();
        ThreadGroup group = new ThreadGroup("mutant");
        Thread thread = new Thread(group, () -> {
            try {
                found.complete(hunt.invoke(null, SteppedClient.Opener.class.getName(), MOST_MILLIS));
            } catch (Throwable e) {
                found.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        try {
            return outcome(group, thread, found);
        } finally {
            // The mutant's classes can't be unloaded while its thread runs.
            group.interrupt();
        }
    }

    private static @Nullable String outcome(ThreadGroup group, Thread thread, CompletableFuture<@Nullable Object> found)
            throws Exception {
        int still = 0;
        long before = 0;
        while (!found.isDone()) {
            thread.join(SAMPLE_MILLIS);
            if (THREADS.getThreadCpuTime(thread.getId()) > (MOST_MILLIS + LONGEST_RUN_MILLIS) * 1_000_000) {
                return "a run never ends: " + List.of(thread.getStackTrace());
            }
            long used = processorTime(group);
            still = isStuck(group, thread) && used - before < NOTHING_NANOS ? still + 1 : 0;
            before = used;
            if (still == STILL_SAMPLES && !found.isDone()) {
                return "a call never returns: " + thread.getStackTrace()[2];
            }
        }
        return (String) found.get();
    }

    /** A scheduler waits for the threads of its run with a limit. On a busy machine, one of them may be about to run. */
    private static boolean isStuck(ThreadGroup group, Thread scheduler) {
        boolean waits = scheduler.getState() == Thread.State.WAITING || scheduler.getState() == Thread.State.BLOCKED;
        return waits && threads(group).noneMatch(thread -> thread.getState() == Thread.State.RUNNABLE);
    }

    private static long processorTime(ThreadGroup group) {
        return threads(group)
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getId()))
                .sum();
    }

    private static Stream<Thread> threads(ThreadGroup group) {
        Thread[] all = new Thread[1_000];
        return Stream.of(all).limit(group.enumerate(all));
    }

    /** Each tier notices a change of the engine after which a mutant's text is not found, too. */
    @Test
    void each_mutant_applies_to_the_present_engine() {
        assertThat(all()).allSatisfy(mutant -> assertThat(mutant.source()).contains(mutant.replacement()));
    }

    /** The smaller tiers run few mutants, so a change of the engine after which one does not compile would stay unseen. */
    @Test
    @InTier(Tier.STANDARD)
    void each_mutant_compiles() {
        assertThat(all())
                .allSatisfy(mutant -> assertThat(new MutantLoader(mutant)).isNotNull());
    }
}
