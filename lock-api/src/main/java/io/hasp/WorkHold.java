package io.hasp;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lease, or the lease of several locks, as asynchronous work under it needs it.
 *
 * @param <L> the type of the lease that the work receives
 */
interface WorkHold<L> {
    L lease();

    /** Runs a task in which this thread begins work that goes on elsewhere under the lease. */
    void beginning(Runnable task);

    /** Runs a task of the user when the lease is cut short; returns the action that withdraws the task. */
    Runnable cancelWhenCutShort(Runnable task);

    /** Returns null if no other holder may have had a lock before the end of the work. */
    @Nullable
    LeaseLostException cutShort();

    /** Releases all of it. Never fails. */
    CompletableFuture<?> giveBackAsync();
}
