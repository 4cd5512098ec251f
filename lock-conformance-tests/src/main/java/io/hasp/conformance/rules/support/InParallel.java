package io.hasp.conformance.rules.support;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several slow things at once, such as opening clients; few, so that each gets on with it on a small machine. */
final class InParallel {
    private static final int THREADS = 4;

    private InParallel() {}

    /** All are done when this returns, well or not, in the order given. */
    static <T> List<Future<T>> run(List<Callable<T>> work) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            return threads.invokeAll(work);
        } finally {
            threads.shutdown();
        }
    }
}
