package io.hasp.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The answers to {@link LockBackend#transfer}, for the old grant and for the new claim. Both may arrive together, but each can fail by
 * itself.
 *
 * @param released the finding of the release: {@link Released#NOT_HELD} means that the old grant had been lost
 * @param attempt the answer to the new claim
 */
public record Transfer(CompletionStage<Released> released, CompletionStage<Attempt> attempt) {

    /**
     * Creates a transfer without answers.
     *
     * @param failure the reason
     * @return both stages failed with it
     */
    public static Transfer failed(Throwable failure) {
        return new Transfer(CompletableFuture.failedStage(failure), CompletableFuture.failedStage(failure));
    }
}
