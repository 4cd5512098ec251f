package io.hasp.simulator;

import io.hasp.simulator.world.Configuration;
import java.util.Arrays;

/**
 * Makes the list of choices that leads to a violation as short and as low as it goes while the same rule is broken: delta
 * debugging (Zeller and Hildebrandt, 2002), then each value towards zero, until nothing changes.
 */
final class Shrinker {
    private final Simulation simulation;
    private final Configuration configuration;
    private final String rule;
    private final long end;
    private int[] best;
    private int attempts;

    /** For a list that breaks that rule; with so many attempts, until that moment of {@link System#nanoTime}. */
    Shrinker(
            Simulation simulation,
            Configuration configuration,
            int[] choices,
            String rule,
            int mostAttempts,
            long end) {
        this.simulation = simulation;
        this.configuration = configuration;
        this.best = choices;
        this.rule = rule;
        this.attempts = mostAttempts;
        this.end = end;
    }

    int[] shrink() {
        int before;
        do {
            before = weight();
            drop();
            lower();
        } while (weight() < before && goesOn());
        return best;
    }

    private boolean goesOn() {
        return attempts > 0 && System.nanoTime() - end < 0;
    }

    private int weight() {
        int weight = best.length;
        for (int choice : best) {
            weight += choice;
        }
        return weight;
    }

    private void drop() {
        for (int size = Math.max(1, best.length / 2); size >= 1; size /= 2) {
            for (int from = best.length - size; from >= 0 && goesOn(); from -= size) {
                if (from + size <= best.length) {
                    without(from, size);
                }
            }
        }
    }

    private void without(int from, int size) {
        int[] shorter = new int[best.length - size];
        System.arraycopy(best, 0, shorter, 0, from);
        System.arraycopy(best, from + size, shorter, from, shorter.length - from);
        tryIt(shorter);
    }

    private void lower() {
        for (int i = 0; i < best.length && goesOn(); i++) {
            for (int value = 0; i < best.length && value < best[i] && goesOn(); value++) {
                int[] lower = best.clone();
                lower[i] = value;
                if (tryIt(lower)) {
                    break;
                }
            }
        }
    }

    private boolean tryIt(int[] choices) {
        attempts--;
        Simulation.Outcome outcome = simulation.run(configuration, choices, false);
        boolean same = outcome.violation != null && outcome.violation.rule.equals(rule);
        if (same) {
            // The run did not use the rest of the list.
            best = Arrays.copyOf(choices, Math.min(choices.length, outcome.choices.length));
        }
        return same;
    }
}
