package io.hasp.zookeeper.session;

import io.hasp.spi.BackendFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Adapters for {@link CompletableFuture}. */
public final class CompletableFutures {
    private CompletableFutures() {}

    /** The result of a request that takes a callback. */
    public static <T> CompletableFuture<T> fromCallback(Consumer<Consumer<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        request.accept(answer::complete);
        return answer;
    }

    /** Completes {@code to} with the result or the failure of {@code from}. */
    public static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(BackendFailure.causeOf(failure));
            }
        });
    }

    /** All results, in their order. */
    public static <T> CompletableFuture<List<T>> allOf(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
