package io.hasp;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that works under a lease if the lease is cut short before the work has ended. An interrupt that comes at the end
 * of the work is taken back, and none comes later. Calls may be nested: an interrupt for the sake of an outer lease outlives the
 * inner call.
 */
final class InterruptOnLoss {
    private static final ThreadLocal<@Nullable InterruptOnLoss> INNERMOST = new ThreadLocal<>();

    private final Thread worker = Thread.currentThread();
    private final @Nullable InterruptOnLoss outer = INNERMOST.get();
    private boolean ended;
    private boolean interrupted;

    private InterruptOnLoss() {}

    /** Runs the work, and fails with {@link LeaseLostException} if it threw something after it had been interrupted. */
    static <T, X extends Exception> T during(Lease lease, LeaseFunction<T, X> work) throws X {
        InterruptOnLoss interrupt = new InterruptOnLoss();
        INNERMOST.set(interrupt);
        Runnable takeBack = null;
        try {
            takeBack = lease.whenCutShort(interrupt::interrupt);
            return work.apply(lease);
        } catch (Exception failure) {
            if (interrupt.end() && !(failure instanceof LeaseLostException)) {
                LeaseLostException loss = Objects.requireNonNull(lease.cutShort());
                loss.addSuppressed(failure);
                throw loss;
            }
            throw failure;
        } finally {
            interrupt.end();
            if (takeBack != null) {
                takeBack.run();
            }
        }
    }

    private synchronized void interrupt() {
        if (!ended) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Whether it interrupted. */
    private synchronized boolean end() {
        if (!ended) {
            ended = true;
            INNERMOST.set(outer);
            if (interrupted) {
                takeBack();
            }
        }
        return interrupted;
    }

    private void takeBack() {
        Thread.interrupted();
        if (outerInterrupted()) {
            worker.interrupt();
        }
    }

    private boolean outerInterrupted() {
        for (InterruptOnLoss next = outer; next != null; next = next.outer) {
            if (next.hasInterrupted()) {
                return true;
            }
        }
        return false;
    }

    private synchronized boolean hasInterrupted() {
        return interrupted;
    }
}
