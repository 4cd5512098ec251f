package io.hasp.micrometer;

import io.hasp.locked.spi.CallObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Observes the calls of {@link io.hasp.locked.Locked} methods, as {@link ObservedLock} does for a lock: one observation
 * {@code hasp.lock.call} for each call that takes a lock. If the method returns a stage, the observation ends when the
 * lock is released, and its scope ends when the method returns. A call that is skipped, or ends with
 * {@link io.hasp.LockBusyException}, is {@code contended}. Thread-safe.
 */
public final class ObservedCalls implements CallObserver {
    private final ObservationRegistry registry;

    private ObservedCalls(ObservationRegistry registry) {
        this.registry = registry;
    }

    /**
     * Creates an observer for all locked methods of a container.
     *
     * @param registry receives an observation for each call
     * @return an observer, to be bound as {@link CallObserver} or declared as a bean
     */
    public static ObservedCalls in(ObservationRegistry registry) {
        return new ObservedCalls(registry);
    }

    @Override
    public @Nullable Object observe(String lock, Call call) throws Throwable {
        LockCall observed = new LockCall(lock, registry);
        boolean goesOn = false;
        try (Observation.Scope scope = observed.open()) {
            Object result = call.proceed(observed::acquired);
            if (result instanceof CompletableFuture<?> stage) {
                goesOn = true;
                stage.whenComplete((value, failure) -> observed.end(failure));
            }
            return result;
        } catch (Throwable failure) {
            observed.failed(failure);
            throw failure;
        } finally {
            if (!goesOn) {
                observed.end();
            }
        }
    }
}
