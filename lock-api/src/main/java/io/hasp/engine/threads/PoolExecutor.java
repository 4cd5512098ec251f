package io.hasp.engine.threads;

import java.util.concurrent.Executor;

/** Makes the requests of callers that do not block, on threads where the backend may block. */
public record PoolExecutor(Executor executor) implements RequestExecutor {
    @Override
    public void execute(Request request) {
        executor.execute(request::run);
    }
}
