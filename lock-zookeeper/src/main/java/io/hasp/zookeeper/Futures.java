package io.hasp.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What {@link CompletableFuture} leaves out. */
final class Futures {
    private Futures() {}

    /** The answer of a request that calls back. */
    static <T> CompletableFuture<T> of(Consumer<Consumer<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        request.accept(answer::complete);
        return answer;
    }

    /** Completes one as the other. */
    static <T> void relay(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(Failures.cause(failure));
            }
        });
    }

    /** All results in their order, once all are there. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
