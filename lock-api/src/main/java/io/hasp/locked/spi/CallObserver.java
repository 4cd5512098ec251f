package io.hasp.locked.spi;

import io.hasp.Lease;
import io.hasp.locked.Locked;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the calls of {@link Locked} methods that take a lock, such as for traces. A container takes the one that is bound, or that
 * is a bean. Calls that run under the lease of one further up are a part of that one, and not told.
 */
@FunctionalInterface
public interface CallObserver {

    /** Nobody watches. */
    CallObserver NOBODY = (lock, call) -> call.proceed(lease -> {});

    /**
     * A call begins. Runs it on the calling thread.
     *
     * @param lock its name, filled in
     * @param call to be run exactly once
     * @return what it returned
     * @throws Throwable what it threw
     */
    @Nullable
    Object observe(String lock, Call call) throws Throwable;

    /** From the wait for the lock to its release. */
    @FunctionalInterface
    interface Call {

        /**
         * Runs it.
         *
         * @param acquired told of the lease before the method begins; not called if there will be none
         * @return what the method returns, null if it was skipped; a {@link java.util.concurrent.CompletableFuture} in the place of a
         *     stage, which completes when the lock was released
         * @throws Throwable what the method throws, and what {@link Locked} lists
         */
        @Nullable
        Object proceed(Consumer<Lease> acquired) throws Throwable;
    }
}
