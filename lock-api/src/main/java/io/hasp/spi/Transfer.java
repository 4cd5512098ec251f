package io.hasp.spi;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The answers to {@link LockBackend#transfer}: what became of the old grant, and what of the new claim. They may travel
 * together, but each can fail by itself.
 *
 * @param released what the release found: {@link Released#NOT_HELD} means that the old grant had been lost
 * @param attempt the answer to the new claim
 */
public record Transfer(CompletionStage<Released> released, CompletionStage<Attempt> attempt) {

    /**
     * Neither was answered.
     *
     * @param failure why
     * @return both answers failed with it
     */
    public static Transfer failed(Throwable failure) {
        return new Transfer(CompletableFuture.failedStage(failure), CompletableFuture.failedStage(failure));
    }
}
