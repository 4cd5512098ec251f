package io.hasp.simulator.network;

import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.server.ServerSession;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.util.concurrent.CompletableFuture;

/** A transfer in one request: the release of one holder and the claim of the next. Each of the two has its own reply. */
final class OneFlightTransfer {
    private final SimulatedBackend client;
    private final Network network;
    private final BackendMonitor monitor;
    private final ServerSession session;
    private final HolderId from;
    private final Claim to;
    private final long sentAt;
    private final CompletableFuture<Released> released;
    private final CompletableFuture<Attempt> attempted = new CompletableFuture<>();

    OneFlightTransfer(SimulatedBackend client, Network network, HolderId from, Claim to) {
        this.client = client;
        this.network = network;
        this.monitor = client.monitor;
        this.session = client.session();
        this.from = from;
        this.to = to;
        this.released = monitor.releaseReply(to.name());
        this.sentAt = network.world.now();
    }

    Transfer replies() {
        return new Transfer(released, attempted);
    }

    /** Serves both requests on the server. */
    ClientRequest.Reply serve(ReferenceServer server) {
        LockName name = to.name();
        Released found = server.release(name, from);
        Runnable releaseReply = () -> {
            monitor.released(from, name, found);
            released.complete(found);
        };
        Attempt attempt;
        try {
            attempt = network.faults.perhapsOutOfRange(server.acquire(to, session));
        } catch (BackendFailure otherKind) {
            return new ClientRequest.Reply(
                    found + " and another kind",
                    true,
                    false,
                    network.faults.transferReplies(
                            releaseReply, this::notReleased, () -> notAttempted(otherKind), this::notAttempted));
        }
        Runnable attemptReply = () -> {
            monitor.answered(to, sentAt, attempt);
            attempted.complete(client.heard(attempt));
        };
        return new ClientRequest.Reply(
                found + " and " + network.world.describe(attempt),
                network.faults.transferReplies(releaseReply, this::notReleased, attemptReply, this::notAttempted));
    }

    /** Both replies are that failure. */
    void fail(BackendFailure why) {
        network.faults
                .transferReplies(() -> notReleased(why), this::notReleased, () -> notAttempted(why), this::notAttempted)
                .run();
    }

    private void notReleased(BackendFailure why) {
        monitor.notReleased(from);
        released.completeExceptionally(why);
    }

    private void notAttempted(BackendFailure why) {
        monitor.notAnswered(to, why);
        attempted.completeExceptionally(why);
    }
}
