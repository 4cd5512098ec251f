package io.hasp.zookeeper;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.SignalListener;
import java.util.concurrent.CompletableFuture;

/**
 * An acquire call for reading.
 *
 * @param started when the call began
 * @param answer what the call returned, to be completed
 */
record ReadRequest(Claim claim, SignalListener signals, long started, CompletableFuture<Attempt> answer) {
    HolderId holder() {
        return claim.holder();
    }

    /** The call for a node on which it stands. */
    AcquireHandler.Request on(LockNode node) {
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
