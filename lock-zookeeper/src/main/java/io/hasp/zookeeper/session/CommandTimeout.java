package io.hasp.zookeeper.session;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Limits the wait of a caller for an answer. The request itself goes on, and its effect is cleaned up later.
 *
 * @param limit the longest wait
 * @param timing measures it
 * @param servers the servers' addresses, for messages
 */
public record CommandTimeout(Duration limit, Timing timing, Supplier<String> servers) {

    /**
     * Runs a request.
     *
     * @param request completes the future that it gets, unless the limit ends first; throws, or fails it with, a
     *     {@link BackendFailure}
     */
    public <T> CompletionStage<T> run(String action, Consumer<CompletableFuture<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            request.accept(answer);
        } catch (BackendFailure failure) {
            answer.completeExceptionally(failure);
        }
        if (!answer.isDone()) {
            Timing.Timer timer = timing.schedule(
                    limit,
                    () -> answer.completeExceptionally(ZooKeeperFailures.unknown("ZooKeeper at " + servers.get()
                            + " did not answer within " + limit.toMillis() + " ms when it was asked to " + action)));
            answer.whenComplete((value, failure) -> timer.cancel());
        }
        return answer;
    }
}
