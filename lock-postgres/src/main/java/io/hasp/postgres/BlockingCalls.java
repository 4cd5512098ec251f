package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs calls on the calling thread. Calls of virtual threads run on the client's executor: an interrupt of a virtual thread closes the socket
 * that it reads from (JDK 21 and later). Thread-safe.
 */
record BlockingCalls(Executor executor) {
    private static final MethodHandle IS_VIRTUAL = isVirtual();

    private static MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            // Before JDK 21 there are none.
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }

    private static boolean onVirtualThread() {
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual declares no exception", e);
        }
    }

    <T> CompletionStage<T> run(Supplier<T> call) {
        if (onVirtualThread()) {
            return CompletableFuture.supplyAsync(call, executor);
        }
        try {
            return CompletableFuture.completedStage(call.get());
        } catch (BackendFailure failure) {
            return CompletableFuture.failedStage(failure);
        }
    }
}
