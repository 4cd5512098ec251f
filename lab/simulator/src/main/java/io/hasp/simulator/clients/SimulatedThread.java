package io.hasp.simulator.clients;

import io.hasp.simulator.world.UserCodeException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The thread of a caller. It blocks in one call at a time, and the scheduler makes its steps. */
public final class SimulatedThread {
    private @Nullable SteppedCall<?> call;
    private Runnable whenReturned = () -> {};
    /** The thread gets no processor time before that. */
    public long suspendedUntil;

    /** Begins a call. One of the two consumers gets its outcome. */
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

    public boolean blocks() {
        return call != null;
    }

    /** True if the thread can make a step. */
    boolean ready() {
        return call != null && call.ready();
    }

    void step() {
        if (call != null && call.step()) {
            call = null;
            whenReturned.run();
        }
    }

    /** Runs a task as a thread of its own would: an exception of the user's code ends only the task. */
    public static void runContained(Runnable task) {
        try {
            task.run();
        } catch (UserCodeException expected) {
            // The handler of such a thread would get it.
        }
    }

    /** The call makes its last step when the scheduler says so. Others may come in between. */
    void interrupt(Runnable whenLeft) {
        SteppedCall<?> interrupted = call;
        if (interrupted != null) {
            whenReturned = whenLeft;
            interrupted.interrupt();
        }
    }
}
