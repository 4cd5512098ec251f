package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Grant;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Raises token floors, and asks again while a client that may keep the lock has not answered its recall. Thread-safe. */
record ServerTokenFloor(LockCalls calls, BlockingCalls blocking, Timing timing, Duration timeout)
        implements TokenFloor {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    @Override
    public CompletionStage<Void> raise(LockName name, long floor) {
        CompletableFuture<Void> raised = new CompletableFuture<>();
        if (floor >= Grant.TOKEN_LIMIT - 1) {
            raised.completeExceptionally(new BackendFailure(
                    Kind.INCOMPATIBLE, Outcome.NOT_APPLIED, "the token floor " + floor + " is too large", null));
        } else {
            raise(name, floor, timing.nanoTime() + timeout.toNanos(), FIRST_PAUSE, raised);
        }
        return raised;
    }

    private void raise(LockName name, long floor, long end, Duration pause, CompletableFuture<Void> raised) {
        blocking.run(() -> calls.raise(name.value(), floor)).whenComplete((done, failure) -> {
            if (failure != null) {
                raised.completeExceptionally(BackendFailure.causeOf(failure));
            } else if (done) {
                raised.complete(null);
            } else if (timing.nanoTime() - end >= 0) {
                raised.completeExceptionally(new BackendFailure(
                        Kind.UNAVAILABLE,
                        Outcome.NOT_APPLIED,
                        "the token floor of '" + name + "' was not raised: the client that may keep the lock is silent",
                        null));
            } else {
                Duration longer = pause.multipliedBy(2);
                Duration next = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
                timing.schedule(pause, () -> blocking.executor().execute(() -> raise(name, floor, end, next, raised)));
            }
        });
    }
}
