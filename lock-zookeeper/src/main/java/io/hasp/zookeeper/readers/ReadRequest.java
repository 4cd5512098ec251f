package io.hasp.zookeeper.readers;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.SignalListener;
import io.hasp.zookeeper.recipe.AcquireHandler;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.CompletableFutures;
import java.util.concurrent.CompletableFuture;

/**
 * An acquire call for reading.
 *
 * @param started when the call began
 * @param answer the result of the call, to be completed
 */
public record ReadRequest(Claim claim, SignalListener signals, long started, CompletableFuture<Attempt> answer) {
    public HolderId holder() {
        return claim.holder();
    }

    /** Returns the call for its node. */
    public AcquireHandler.Request on(LockNode node) {
        return new AcquireHandler.Request(claim, node, started, answer);
    }

    /** The answer to this call is also that to an earlier one of the same holder, unless that is answered. */
    void repeats(ReadRequest earlier) {
        CompletableFutures.forward(answer, earlier.answer);
    }

    /** The holder has left. No effect if the call is answered. */
    void gone() {
        answer.complete(new Attempt.Gone());
    }

    void failed(Throwable failure) {
        answer.completeExceptionally(failure);
    }
}
