package io.hasp;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
    private final boolean outerInterruptedBefore = outerInterrupted();
    private boolean ended;
    private boolean interrupted;

    private InterruptOnLoss() {}

    /** Runs the work, and fails with {@link LeaseLostException} if it threw something after it had been interrupted. */
    static <T, X extends Exception> T during(Lease lease, LeaseFunction<T, X> work) throws X {
        return during(lease::whenCutShort, lease::cutShort, () -> work.apply(lease));
    }

    /** Something that may fail. */
    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * The same.
     *
     * @param watch takes what is to be done when the lease is cut short, and gives what takes that back
     * @param loss why it was cut short; null if it was not
     */
    static <T, X extends Exception> T during(
            UnaryOperator<Runnable> watch, Supplier<@Nullable LeaseLostException> loss, Work<T, X> work) throws X {
        InterruptOnLoss interrupt = new InterruptOnLoss();
        INNERMOST.set(interrupt);
        Runnable takeBack = null;
        try {
            takeBack = watch.apply(interrupt::interrupt);
            return work.run();
        } catch (Exception failure) {
            LeaseLostException lost = interrupt.end() ? loss.get() : null;
            if (lost != null && !(failure instanceof LeaseLostException)) {
                lost.addSuppressed(failure);
                throw lost;
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

    /**
     * Whether the work was interrupted: by this, or by an outer call, which is interrupted first if the tasks of one lease overtake each
     * other.
     */
    private synchronized boolean end() {
        if (!ended && interrupted) {
            Thread.interrupted();
        }
        // After the own interrupt is taken back: an outer one that comes meanwhile is seen here, a later one stays.
        boolean byOuter = outerInterrupted();
        if (!ended) {
            ended = true;
            INNERMOST.set(outer);
            if (byOuter && (interrupted || !outerInterruptedBefore)) {
                worker.interrupt();
            }
        }
        return interrupted || (byOuter && !outerInterruptedBefore);
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
