package io.hasp.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.SteppedClient;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault that is put into the engine is found within a minute, shrinking included. The quick tier takes some of them. */
class EngineMutantsTest {
    private static final boolean FULL = "full".equals(System.getProperty("hasp.tier"));
    private static final long MOST_MILLIS = 60_000;
    /** A run takes some milliseconds. */
    private static final long LONGEST_RUN_MILLIS = 10_000;
    /** One of each kind. */
    private static final Set<String> QUICK = Set.of(
            "a transfer takes a claim that was sent",
            "close does not wait for releases",
            "what a late answer leaves is not withdrawn",
            "event ReleaseAnswered is dropped",
            "effect Withdraw is dropped",
            "effects are started in the opposite order");

    private static Stream<Mutant> all() {
        return Stream.of(
                        EngineMutants.ofDecisions(),
                        EngineMutants.ofEvents(),
                        EngineMutants.ofEffects(),
                        TransitionMutants.all(),
                        ReentrantLockMutants.all())
                .flatMap(List::stream);
    }

    static List<Mutant> mutants() {
        String only = System.getProperty("hasp.mutant");
        return all().filter(
                        mutant -> only != null ? mutant.name().contains(only) : FULL || QUICK.contains(mutant.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @DisplayName("is found")
    void is_found(Mutant mutant) throws Exception {
        long begun = System.nanoTime();
        String found = hunted(mutant);
        System.out.println("mutant '" + mutant.name() + "', "
                + (System.nanoTime() - begun) / 1_000_000 + " ms: "
                + (found == null ? "not found" : found.lines().findFirst().orElse("")));
        assertThat(found).as(mutant.name()).isNotNull();
    }

    /** What the simulator says of a mutant. A call that never returns ends the run as well. */
    static @Nullable String hunted(Mutant mutant) throws Exception {
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
            return outcome(thread, found);
        } finally {
            // Its classes can't be unloaded before.
            group.interrupt();
        }
    }

    private static @Nullable String outcome(Thread thread, CompletableFuture<@Nullable Object> found) throws Exception {
        long begun = System.nanoTime();
        while (!found.isDone()) {
            thread.join(500);
            if (System.nanoTime() - begun > (MOST_MILLIS + LONGEST_RUN_MILLIS) * 1_000_000) {
                return "a run never ends: " + List.of(thread.getStackTrace());
            }
            if (thread.getState() == Thread.State.WAITING) {
                thread.join(500);
                if (thread.getState() == Thread.State.WAITING && !found.isDone()) {
                    return "a call never returns: " + thread.getStackTrace()[2];
                }
            }
        }
        return (String) found.get();
    }

    /** A change of the engine that moves the text of a mutant is noticed in the quick tier, too. */
    @Test
    void no_mutant_has_rotten() {
        assertThat(all()).allSatisfy(mutant -> assertThat(mutant.source()).contains(mutant.replacement()));
    }
}
