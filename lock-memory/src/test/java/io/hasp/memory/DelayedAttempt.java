package io.hasp.memory;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request for a lock that a test keeps back: the test says when it reaches the server, and when its answer arrives. */
final class DelayedAttempt {
    private final CompletableFuture<Attempt> answer = new CompletableFuture<>();
    private @Nullable Supplier<CompletionStage<Attempt>> request;
    private @Nullable CompletionStage<Attempt> said;

    private DelayedAttempt() {}

    DelayedAttempt(Supplier<CompletionStage<Attempt>> request) {
        this.request = request;
    }

    /** Keeps back the next request; those after it go through. */
    static DelayedAttempt next(ScriptedBackend backend) {
        DelayedAttempt delayed = new DelayedAttempt();
        backend.onAcquire = (claim, call) -> {
            backend.onAcquire = (later, now) -> now.get();
            delayed.request = call;
            return delayed.answer;
        };
        return delayed;
    }

    CompletionStage<Attempt> answer() {
        return answer;
    }

    /** The server decides now; its answer has not arrived yet. */
    void reachesServer() {
        if (request == null) {
            throw new AssertionError("nothing was asked");
        }
        said = request.get();
    }

    /** The server's answer arrives. */
    void isAnswered() {
        if (said == null) {
            reachesServer();
        }
        if (said != null) {
            said.thenAccept(answer::complete);
        }
    }

    /** The answer is lost, and it is unknown if the request arrived. */
    void fails() {
        answer.completeExceptionally(
                new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "scripted", null));
    }
}
