package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.locked.Locked;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the calls of {@link Locked} methods that take a lock, such as for traces. A container uses the observer that is bound, or that is
 * a bean. A call under the lease of a call further up is a part of that call, and is not observed. Thread-safe.
 */
@FunctionalInterface
public interface CallObserver {

    /** Observes nothing. */
    CallObserver NONE = (lock, call) -> call.proceed(lease -> {});

    /**
     * Observes a call, and runs it on the calling thread.
     *
     * @param lock the lock's name, filled in; the names of several locks, separated by a comma and a space
     * @param call to be run exactly once
     * @return the result of the call
     * @throws Throwable the exception of the call
     */
    @Nullable
    Object observe(String lock, Call call) throws Throwable;

    /** A call, from the wait for the lock to its release. */
    @FunctionalInterface
    interface Call {

        /**
         * Runs the call.
         *
         * @param acquired receives the lease before the method begins, and of several locks each one's; not called if there is none
         * @return the method's result, null if it was skipped. In place of a stage, a {@link java.util.concurrent.CompletableFuture} that
         *     completes when the lock was released
         * @throws Throwable the method's exception, and those that {@link Locked} lists
         */
        @Nullable
        Object proceed(Consumer<Lease> acquired) throws Throwable;
    }
}
