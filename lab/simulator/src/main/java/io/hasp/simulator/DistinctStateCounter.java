package io.hasp.simulator;

import io.hasp.simulator.world.ChoiceSequence;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts distinct states by one bit for each hash. It counts a few too few when two hashes share a bit, never too many. Thread-safe.
 */
final class DistinctStateCounter {
    private final AtomicLongArray words;
    private final int shift;

    /** With 2 to the power of that many bits. */
    DistinctStateCounter(int log2) {
        words = new AtomicLongArray(1 << (log2 - 6));
        shift = 64 - log2;
    }

    /** Adds a state. Whether it is a new one. */
    boolean add(long hash) {
        long bit = ChoiceSequence.mix(hash) >>> shift;
        int word = (int) (bit >>> 6);
        long mask = 1L << bit;
        if ((words.getPlain(word) & mask) != 0) {
            return false;
        }
        return (words.getAndUpdate(word, before -> before | mask) & mask) == 0;
    }
}
