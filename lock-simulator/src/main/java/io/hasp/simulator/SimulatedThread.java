package io.hasp.simulator;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A user's thread, which blocks in one call at a time. */
final class SimulatedThread {
    private @Nullable SteppedCall<?> call;
    private Runnable whenReturned = () -> {};
    /** Others have the processor until then. */
    long suspendedUntil;

    /** Begins a call; one of the two hears how it ends. */
    <T> void begin(SteppedCall<T> begun, Consumer<T> returns, Consumer<RuntimeException> fails) {
        call = begun;
        whenReturned = () -> {
            T result;
            try {
                result = begun.result();
            } catch (RuntimeException e) {
                fails.accept(e);
                return;
            }
            returns.accept(result);
        };
    }

    boolean blocks() {
        return call != null;
    }

    /** Whether it can go on. */
    boolean ready() {
        return call != null && call.ready();
    }

    void step() {
        if (call != null && call.step()) {
            call = null;
            whenReturned.run();
        }
    }

    void interrupt() {
        SteppedCall<?> interrupted = call;
        call = null;
        if (interrupted != null) {
            interrupted.interrupt();
        }
    }
}
