package io.hasp;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that works under a lease if the lease is cut short before the work has ended. An interrupt at the end of the work
 * is taken back, and none comes later. Calls may be nested: an interrupt for an outer lease outlives the inner call. All calls of one nest
 * share a monitor, so an outer interrupt comes before or after the end of an inner call, and never in the middle of it.
 */
final class InterruptOnLoss {
    private static final ThreadLocal<@Nullable InterruptOnLoss> INNERMOST = new ThreadLocal<>();

    private final Thread worker = Thread.currentThread();
    private final @Nullable InterruptOnLoss outer = INNERMOST.get();
    private final Object monitor = outer == null ? new Object() : outer.monitor;
    private final int noticedBefore = noticedInterrupts();
    private boolean ended;
    private boolean interrupted;

    private InterruptOnLoss() {}

    /** Runs the work, and fails with {@link LeaseLostException} if the work threw after it had been interrupted. */
    static <T, X extends Exception> T during(Lease lease, LeaseFunction<T, X> work) throws X {
        return during(lease::whenCutShort, lease::cutShort, () -> work.apply(lease));
    }

    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * Runs the work, as above.
     *
     * @param watch registers the action for the moment when the lease is cut short, and returns the action that unregisters it
     * @param loss null if the lease was not cut short
     */
    static <T, X extends Exception> T during(
            UnaryOperator<Runnable> watch, Supplier<@Nullable LeaseLostException> loss, Work<T, X> work) throws X {
        InterruptOnLoss interrupt = new InterruptOnLoss();
        INNERMOST.set(interrupt);
        Runnable unwatch = null;
        try {
            unwatch = watch.apply(interrupt::interrupt);
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
            if (unwatch != null) {
                unwatch.run();
            }
        }
    }

    private void interrupt() {
        synchronized (monitor) {
            if (!ended) {
                interrupted = true;
                worker.interrupt();
            }
        }
    }

    /**
     * Returns true if the work was interrupted: by this call, or by an outer one, which interrupts first if the tasks of one lease overtake
     * each other. An outer interrupt is repeated for the outer work, whatever this work has noticed.
     */
    private boolean end() {
        synchronized (monitor) {
            boolean byOuter = outerInterrupts() > noticedBefore;
            if (!ended) {
                ended = true;
                INNERMOST.set(outer);
                if (interrupted) {
                    Thread.interrupted();
                }
                if (byOuter) {
                    worker.interrupt();
                }
            }
            return interrupted || byOuter;
        }
    }

    /** Counts the outer interrupts that need not outlive this call. */
    private int noticedInterrupts() {
        synchronized (monitor) {
            return worker.isInterrupted() ? 0 : outerInterrupts();
        }
    }

    private int outerInterrupts() {
        int interrupts = 0;
        for (InterruptOnLoss next = outer; next != null; next = next.outer) {
            interrupts += next.interrupted ? 1 : 0;
        }
        return interrupts;
    }
}
