package io.hasp;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes the outcome of work that runs only if its lock is acquired in time, such as {@link DistributedLock#tryCall}. Distinguishes work
 * that did not run from work that returned null. Immutable.
 *
 * @param <T> the type of the work's result
 */
public sealed interface TryResult<T> {

    /**
     * The work ran.
     *
     * @param value the result, null included
     * @param <T> the type of the work's result
     */
    record Returned<T>(@Nullable T value) implements TryResult<T> {}

    /**
     * The work did not run: another holder had the lock for the whole wait.
     *
     * @param <T> the type of the work's result
     */
    record Busy<T>() implements TryResult<T> {
        private static final Busy<?> BUSY = new Busy<>();
    }

    /**
     * Returns the result of work that did not run.
     *
     * @param <T> the type of the work's result
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
