package io.hasp.evaluation.process;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** The heap of this process. */
final class HeapUsage {
    private static final int COLLECTIONS = 4;
    private static final int PAUSE_MILLIS = 100;

    private HeapUsage() {}

    /** The least after several collections: cleaners and references keep some objects for one collection more. */
    static long inUse() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int collection = 0; collection < COLLECTIONS; collection++) {
            collect();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return least;
    }

    private static void collect() {
        ManagementFactory.getMemoryMXBean().gc();
    }
}
