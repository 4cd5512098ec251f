package io.hasp.engine.driver;

import io.hasp.engine.threads.EngineClosedException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The results that users wait for and the backend has not answered. When the client has closed, the timers behind the backend's timeouts
 * are gone. Unanswered results then fail, so that no caller waits without end. Thread-safe.
 */
public final class UnansweredCalls {
    /** By a key of their own: futures have no equality that a map could go by. */
    private final Map<Object, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();

    private volatile boolean ended;
    private volatile @Nullable Throwable cause;

    /**
     * Waits for an answer.
     *
     * @throws CompletionException with what the stage failed with, or a {@link EngineClosedException}
     */
    public <T> T join(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        if (answer.isDone()) {
            return answer.join();
        }
        CompletableFuture<T> mine = answer.copy();
        track(mine);
        return mine.join();
    }

    /** Fails the future at the end of the client unless it is completed by then. */
    public void track(CompletableFuture<?> future) {
        Object key = new Object();
        unanswered.put(key, future);
        future.whenComplete((value, failure) -> unanswered.remove(key));
        if (ended) {
            fail(future);
        }
    }

    /**
     * The client ends.
     *
     * @param failure what it failed with; null if it was closed
     */
    public void end(@Nullable Throwable failure) {
        cause = failure;
        ended = true;
        unanswered.values().forEach(this::fail);
    }

    private void fail(CompletableFuture<?> future) {
        future.completeExceptionally(new EngineClosedException(cause));
    }
}
