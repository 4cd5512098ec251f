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
}
