package io.hasp;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that works under a lease if the lease is cut short before the work has ended. An interrupt that comes at the end
 * of the work is taken back, and none comes later. Calls may be nested: an interrupt for the sake of an outer lease outlives the
 * inner call. All calls of one nest share a monitor. So an outer interrupt comes before or after the end of an inner call, and never
 * in the middle of it.
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
     * Whether the work was interrupted: by this, or by an outer call, which is interrupted first if the tasks of one lease overtake each
     * other. Whatever this work has noticed, the outer work is told of its interrupt again.
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

    /** The outer interrupts that need not outlive this call. */
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
