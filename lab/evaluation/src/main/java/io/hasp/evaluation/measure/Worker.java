package io.hasp.evaluation.measure;

import java.util.function.BooleanSupplier;

/** What one thread does in a slice. Only that thread uses it. */
interface Worker {
    /**
     * What comes before the slice.
     *
     * @throws Exception what the lock threw
     */
    void prepare() throws Exception;

    /**
     * Works.
     *
     * @param end when the slice ends on {@link System#nanoTime}
     * @param abandoned whether nobody waits for this thread any more
     * @throws Exception what the lock threw
     */
    void work(long end, BooleanSupplier abandoned) throws Exception;

    /** What it did, once it has ended. */
    WorkerLog log();
}
