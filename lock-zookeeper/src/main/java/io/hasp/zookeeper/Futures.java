package io.hasp.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What {@link CompletableFuture} leaves out. */
final class Futures {
    private Futures() {}

    /** All results in their order, once all are there. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }
}
