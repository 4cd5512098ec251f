package io.hasp.simulator.world;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sequence of choices that decides one run: drawn from a seed, or replayed from a list. Zero is always the simplest choice, so
 * that a list which is shortened or lowered makes a simpler run. Not thread-safe.
 */
public final class ChoiceSequence {
    private final int @Nullable [] given;
    private long state;
    private int[] made = new int[512];
    private int count;

    private ChoiceSequence(int @Nullable [] given, long seed) {
        this.given = given;
        this.state = seed;
    }

    public static ChoiceSequence seeded(long seed) {
        return new ChoiceSequence(null, mix(seed));
    }

    /** Replays a list. Its values may be out of range, and zeros follow it. */
    public static ChoiceSequence given(int[] list) {
        return new ChoiceSequence(list, 0);
    }

    /** One of 0 … bound − 1. With a bound of one nothing is drawn. */
    public int below(int bound) {
        if (bound <= 1) {
            return 0;
        }
        int choice = given == null ? drawn(bound) : count < given.length ? given[count] % bound : 0;
        if (count == made.length) {
            made = Arrays.copyOf(made, 2 * count);
        }
        made[count++] = choice;
        return choice;
    }

    /** True once in so many times; never for zero. False is the simpler choice. */
    public boolean oneIn(int times) {
        return times > 0 && below(times + 1) == 1;
    }

    /** True if the list has come to its end. A seed has no end. */
    public boolean exhausted() {
        return given != null && count >= given.length;
    }

    public int[] made() {
        return Arrays.copyOf(made, count);
    }

    private int drawn(int bound) {
        state += 0x9E3779B97F4A7C15L;
        return (int) (((mix(state) >>> 33) * bound) >>> 31);
    }

    /** The finalizer of SplitMix64. */
    public static long mix(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
