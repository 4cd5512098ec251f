package io.hasp.evaluation.measure;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Schedules requests at random, with a given average rate, independently of the completion of earlier ones.
 * Thread-safe.
 */
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
