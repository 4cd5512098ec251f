package io.hasp.evaluation.measure;

import java.util.function.BooleanSupplier;

/** The work of one thread in a slice. Confined to that thread. */
interface Worker {
    /**
     * Prepares the slice.
     *
     * @throws Exception thrown by the lock
     */
    void prepare() throws Exception;

    /**
     * Works.
     *
     * @param end the end of the slice on {@link System#nanoTime}
     * @param abandoned true once the slice no longer waits for this thread
     * @throws Exception thrown by the lock
     */
    void work(long end, BooleanSupplier abandoned) throws Exception;

    /** Returns the log of the work, after its end. */
    WorkerLog log();
}
