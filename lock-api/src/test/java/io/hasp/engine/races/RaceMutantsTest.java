package io.hasp.engine.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault of synchronization is shown by its race within a minute of processor time. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
class RaceMutantsTest {
    private static final boolean FULL = "full".equals(System.getProperty("hasp.tier"));
    /** One on real threads: a script needs no proof that this machine finds what it forces. */
    private static final Set<String> QUICK = Set.of("the starter does not look for new effects");

    static List<RaceMutant> mutants() {
        String only = System.getProperty("hasp.mutant");
        return RaceMutants.all().stream()
                .filter(mutant -> only != null ? mutant.name().contains(only) : runs(mutant.name()))
                .toList();
    }

    private static boolean runs(String name) {
        return FULL || QUICK.contains(name);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @DisplayName("is found")
    void is_found(RaceMutant mutant, @TempDir Path folder) throws Exception {
        long begun = System.nanoTime();
        String found = mutant.found(folder);
        System.out.println("mutant '" + mutant.name() + "', "
                + (System.nanoTime() - begun) / 1_000_000 + " ms, " + mutant.explorer() + ": "
                + (found == null ? "not found" : found.lines().findFirst().orElse("")));
        assertThat(found).as(mutant.name()).isNotNull();
    }

    /** A change of the engine that moves the text of a mutant is noticed in each tier. */
    @Test
    void each_mutant_applies_to_the_present_engine() {
        assertThat(RaceMutants.all())
                .allSatisfy(mutant -> assertThat(mutant.source()).contains(mutant.replacement()));
    }
}
