package io.hasp.micrometer;

import io.hasp.DistributedLock;
import io.hasp.LeaseAction;
import io.hasp.LeaseFunction;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Optional;

/**
 * A lock whose work is observed: with tracing, each call is a span, in which what the work does has its own.
 *
 * <pre>{@code
 * ObservedLock.of(locks.lock("orders/42"), observations).run(lease -> store.write(order, lease.fencingToken()));
 * }</pre>
 *
 * <p>The observation {@code hasp.lock.call} begins with the call and ends when it returns: with the lock released, or without it. Its event
 * {@code lock.acquired} parts the wait from the work. Its low-cardinality key {@code outcome} is {@code acquired}, {@code contended}
 * or {@code failed}; that of a call whose work threw is {@code acquired}. The name of the lock ({@code lock.name}) and the fencing
 * token ({@code lock.token}) are high-cardinality keys: spans have them, and metrics don't. What a call throws is the
 * observation's error.
 *
 * <p>Thread-safe. Each method behaves as its namesake of {@link DistributedLock}, exceptions included.
 */
public final class ObservedLock {
    private final DistributedLock lock;
    private final ObservationRegistry registry;

    private ObservedLock(DistributedLock lock, ObservationRegistry registry) {
        this.lock = lock;
        this.registry = registry;
    }

    /**
     * Observes the work under a lock.
     *
     * @param lock what is locked
     * @param registry told of each call
     * @return the observed lock; nothing is sent
     */
    public static ObservedLock of(DistributedLock lock, ObservationRegistry registry) {
        return new ObservedLock(lock, registry);
    }

    /**
     * Observes {@link DistributedLock#call}.
     *
     * @param work what to do
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned
     * @throws X what the work threw
     * @throws InterruptedException as the lock's own method
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X, InterruptedException {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            return lock.call(call.noting(work));
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }

    /**
     * Observes {@link DistributedLock#run}.
     *
     * @param work what to do
     * @param <X> what it may throw
     * @throws X what the work threw
     * @throws InterruptedException as the lock's own method
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X, InterruptedException {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            lock.run(call.noting(work));
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }

    /**
     * Observes {@link DistributedLock#tryCall}.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned; empty as from the lock's own method
     * @throws X what the work threw
     * @throws InterruptedException as the lock's own method
     */
    public <T, X extends Exception> Optional<T> tryCall(Duration wait, LeaseFunction<T, X> work)
            throws X, InterruptedException {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            return lock.tryCall(wait, call.noting(work));
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }

    /**
     * Observes {@link DistributedLock#tryRun(LeaseAction)}.
     *
     * @param work what to do
     * @param <X> what it may throw
     * @return whether it ran
     * @throws X what the work threw
     */
    public <X extends Exception> boolean tryRun(LeaseAction<X> work) throws X {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            return lock.tryRun(call.noting(work));
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }

    /**
     * Observes {@link DistributedLock#tryRun(Duration, LeaseAction)}.
     *
     * @param wait zero or more; zero fails fast
     * @param work what to do
     * @param <X> what it may throw
     * @return whether it ran
     * @throws X what the work threw
     * @throws InterruptedException as the lock's own method
     */
    public <X extends Exception> boolean tryRun(Duration wait, LeaseAction<X> work) throws X, InterruptedException {
        LockCall call = new LockCall(lock.name(), registry);
        try (Observation.Scope scope = call.open()) {
            return lock.tryRun(wait, call.noting(work));
        } catch (Throwable failure) {
            call.failed(failure);
            throw failure;
        } finally {
            call.end();
        }
    }
}
