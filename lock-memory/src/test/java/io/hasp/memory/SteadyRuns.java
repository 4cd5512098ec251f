package io.hasp.memory;

import java.util.concurrent.Callable;

/** Runs of a probe with short leases, of which a machine that stands still costs one as well: a fault spoils each run. */
final class SteadyRuns {
    private static final int MOST = 3;

    private SteadyRuns() {}

    /** The result of the last run: the first that has the wanted one, if there is any. */
    static <T> T until(T wanted, Callable<T> probe) throws Exception {
        T result = probe.call();
        for (int run = 1; run < MOST && !wanted.equals(result); run++) {
            result = probe.call();
        }
        return result;
    }
}
