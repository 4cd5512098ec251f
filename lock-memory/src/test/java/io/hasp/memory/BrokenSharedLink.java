package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The connection of one client to a {@link BrokenSharedServer}, which may be cut. It delivers each renewal of a
 * whole lock again and again for a while, as a network may that lost the answers.
 */
final class BrokenSharedLink implements BackendSource {
    private static final Capabilities CAPABILITIES = Capabilities.of(
                    Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE)
            .sharing();

    private static final Duration AGAIN = Duration.ofMillis(20);
    private static final int REPETITIONS = 50;

    private final BrokenSharedServer server;
    private volatile boolean cut;

    BrokenSharedLink(BrokenSharedServer server) {
        this.server = server;
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    @Override
    public LockBackend open(BackendContext context) {
        return new Client(context);
    }

    private final class Client implements LockBackend {
        private final BackendContext context;

        Client(BackendContext context) {
            this.context = context;
        }

        @Override
        public Capabilities capabilities() {
            return CAPABILITIES;
        }

        @Override
        public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
            return call(() -> server.acquire(claim, signal -> deliver(signals, signal)));
        }

        /** A closed client receives no signal. */
        private void deliver(SignalListener signals, Signal signal) {
            try {
                if (!cut) {
                    context.executor().execute(() -> signals.onSignal(signal));
                }
            } catch (RejectedExecutionException closed) {
                assert closed != null : "nobody listens";
            }
        }

        @Override
        public CompletionStage<List<Renewal>> renew(List<Grant> held) {
            repeat(held.stream().filter(Client::whole).toList(), REPETITIONS);
            return call(() -> held.stream().map(server::renew).toList());
        }

        private static boolean whole(Grant grant) {
            return grant.claim().share().weight() == grant.claim().share().capacity();
        }

        private void repeat(List<Grant> held, int times) {
            if (times > 0 && !cut) {
                context.timing().schedule(AGAIN, () -> {
                    held.forEach(server::renew);
                    repeat(held, times - 1);
                });
            }
        }

        @Override
        public CompletionStage<Released> release(Claim claim) {
            return call(() -> server.release(claim));
        }

        private <T> CompletionStage<T> call(Supplier<T> request) {
            if (cut) {
                return CompletableFuture.failedFuture(new BackendFailure(
                        BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "the link is cut", null));
            }
            try {
                return CompletableFuture.completedFuture(request.get());
            } catch (BackendFailure refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        @Override
        public void close() {
            // Nothing is connected.
        }
    }
}
