package io.hasp;

import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.Failures;
import io.hasp.simulator.clients.SteppedCall;
import io.hasp.spi.LockName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A blocking call that waits for a stage to complete. It needs one step, when the stage is complete. */
final class SteppedAnswer<T> implements SteppedCall<T> {
    /** No check looks at the lock that an exception names. */
    private static final LockName NAME = new LockName("simulated");

    private final CompletableFuture<T> answer;
    private final UnaryOperator<T> rest;
    private final String failed;
    private boolean returned;

    SteppedAnswer(CompletionStage<T> answer, UnaryOperator<T> rest, String failed) {
        this.answer = answer.toCompletableFuture();
        this.rest = rest;
        this.failed = failed;
    }

    @Override
    public boolean ready() {
        return !returned && answer.isDone();
    }

    @Override
    public boolean step() {
        returned = answer.isDone();
        return returned;
    }

    @Override
    public T result() {
        try {
            return rest.apply(answer.join());
        } catch (CompletionException e) {
            throw translated(failed, e);
        }
    }

    static RuntimeException translated(String what, CompletionException thrown) {
        return thrown.getCause() instanceof EngineClosedException
                ? new ClientClosedException("the lock client was closed", NAME.value())
                : ClientContext.failed(what, Failures.of(thrown), NAME);
    }
}
