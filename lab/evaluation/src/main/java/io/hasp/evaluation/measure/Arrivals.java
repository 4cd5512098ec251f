package io.hasp.evaluation.measure;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** When requests arrive: at random, so many in a second on average, whether or not earlier ones were served. Thread-safe. */
final class Arrivals {
    private final SplittableRandom random = new SplittableRandom(1);
    private final double meanNanos;
    private double after;

    Arrivals(double perSecond) {
        meanNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** The next one, in nanoseconds after the beginning. The times between two are those of a Poisson process. */
    synchronized long next() {
        after -= Math.log(1 - random.nextDouble()) * meanNanos;
        return (long) after;
    }
}
