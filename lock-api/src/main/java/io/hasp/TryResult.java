package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of work that runs only if its lock is had in time, such as {@link DistributedLock#tryCall}: work that did not run is
 * distinguished from work that returned null. Immutable.
 *
 * @param <T> what the work returns
 */
public sealed interface TryResult<T> {

    /**
     * The work ran.
     *
     * @param value what it returned, null included
     * @param <T> what the work returns
     */
    record Returned<T>(@Nullable T value) implements TryResult<T> {}

    /**
     * The work did not run: another holder had the lock for the whole wait.
     *
     * @param <T> what the work returns
     */
    record Busy<T>() implements TryResult<T> {
        private static final Busy<?> BUSY = new Busy<>();
    }

    /**
     * Makes a result of work that did not run.
     *
     * @param <T> what the work returns
     * @return the same for all work
     */
    @SuppressWarnings("unchecked")
    static <T> TryResult<T> busy() {
        return (TryResult<T>) Busy.BUSY;
    }

    /**
     * Returns true if the work ran.
     *
     * @return false if another holder had the lock for the whole wait
     */
    default boolean ran() {
        return this instanceof Returned;
    }

    /**
     * Returns the value of the work.
     *
     * @return empty if the work did not run, or returned null: {@link #ran} distinguishes the two
     */
    default Optional<T> toOptional() {
        return this instanceof Returned<T> returned ? Optional.ofNullable(returned.value()) : Optional.empty();
    }
}
