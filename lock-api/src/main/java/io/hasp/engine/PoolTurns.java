package io.hasp.engine;

import java.util.concurrent.Executor;

/** Runs the turns of callers who don't wait for themselves on threads where the backend may block. */
record PoolTurns(Executor executor) implements Turns {
    @Override
    public void take(Turn turn) {
        executor.execute(turn::run);
    }
}
