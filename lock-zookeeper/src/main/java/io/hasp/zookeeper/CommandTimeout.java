package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Limits how long a caller waits for an answer; the request itself goes on and its effect is cleared up later.
 *
 * @param limit the longest wait
 * @param timing measures it
 */
record CommandTimeout(Duration limit, Timing timing) {

    /** Starts a request whose stage completes within the limit; if it fails, with a {@link BackendFailure}. */
    <T> CompletionStage<T> on(String asked, Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> started;
        try {
            started = request.get();
        } catch (BackendFailure failure) {
            answer.completeExceptionally(failure);
            return answer;
        }
        if (!started.isDone()) {
            Timing.Timer timer = timing.schedule(
                    limit,
                    () -> answer.completeExceptionally(Failures.unknown(
                            "could not " + asked + ": ZooKeeper did not answer within " + limit.toMillis() + " ms")));
            answer.whenComplete((value, failure) -> timer.cancel());
        }
        started.whenComplete((value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(Failures.cause(failure));
            }
        });
        return answer;
    }
}
