package io.hasp.simulator;

import java.util.Arrays;

/**
 * Makes the list of choices that leads to a violation as short and as low as it goes while the same rule is broken: delta
 * debugging (Zeller and Hildebrandt, 2002), then each value towards zero, until nothing changes.
 */
final class Shrinker {
    private final Simulation simulation;
    private final Configuration configuration;
    private final String rule;
    private int[] best;
    private int attempts;

    /** For a list that breaks that rule. */
    Shrinker(Simulation simulation, Configuration configuration, int[] choices, String rule) {
        this.simulation = simulation;
        this.configuration = configuration;
        this.best = choices;
        this.rule = rule;
    }

    int[] shrink(int mostAttempts) {
        int before;
        do {
            before = weight();
            drop(mostAttempts);
            lower(mostAttempts);
        } while (weight() < before && attempts < mostAttempts);
        return best;
    }

    private int weight() {
        int weight = best.length;
        for (int choice : best) {
            weight += choice;
        }
        return weight;
    }

    private void drop(int mostAttempts) {
        for (int size = Math.max(1, best.length / 2); size >= 1; size /= 2) {
            for (int from = best.length - size; from >= 0 && attempts < mostAttempts; from -= size) {
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

    private void lower(int mostAttempts) {
        for (int i = 0; i < best.length && attempts < mostAttempts; i++) {
            for (int value = 0; i < best.length && value < best[i]; value++) {
                int[] lower = best.clone();
                lower[i] = value;
                if (tryIt(lower)) {
                    break;
                }
            }
        }
    }

    private boolean tryIt(int[] choices) {
        attempts++;
        Simulation.Outcome outcome = simulation.run(configuration, choices, false);
        boolean same = outcome.violation != null && outcome.violation.rule.equals(rule);
        if (same) {
            // What the run did not come to is no part of it.
            best = Arrays.copyOf(choices, Math.min(choices.length, outcome.choices.length));
        }
        return same;
    }
}
