package io.hasp.redis.server;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Raises token floors on one server. A lock that its client may keep is recalled, and the floor is raised when the client has
 * answered: it gives the lock back, or keeps it no more. The timer only hands the next question over: a request may block. Thread-safe.
 */
public record ServerTokenFloor(
        RedisConnection connection, ScriptRunner scripts, LockKeys keys, Timing timing, Executor executor)
        implements TokenFloor {
    private static final String KEPT = "KEPT";
    private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    @Override
    public CompletionStage<Void> raise(LockName name, long floor) {
        CompletableFuture<Void> raised = new CompletableFuture<>();
        long deadline = timing.nanoTime() + connection.commandTimeout().toNanos();
        ask(name, floor, deadline, FIRST_PAUSE, raised);
        return raised;
    }

    private void ask(LockName name, long floor, long deadline, Duration pause, CompletableFuture<Void> raised) {
        step(
                raised,
                () -> scripts.run(LockScript.RAISE, LockKeys.of(keys.lock(name), ""), List.of(Long.toString(floor)))
                        .whenComplete((reply, failure) -> step(raised, () -> {
                            if (failure != null) {
                                raised.completeExceptionally(RedisFailures.of(
                                        connection.server(), "token floor of '" + name + "'", failure));
                            } else if (!reply.equals(KEPT)) {
                                raised.complete(null);
                            } else if (timing.nanoTime() - deadline >= 0) {
                                raised.completeExceptionally(silentKeeper(name));
                            } else {
                                askAgain(name, floor, deadline, pause, raised);
                            }
                        })));
    }

    private void askAgain(LockName name, long floor, long deadline, Duration pause, CompletableFuture<Void> raised) {
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        Runnable question = () -> ask(name, floor, deadline, next, raised);
        timing.schedule(pause, () -> step(raised, () -> executor.execute(question)));
    }

    /** Passes every error on to the future, even one of the JVM. Otherwise the caller would never get an answer. */
    private static void step(CompletableFuture<Void> raised, Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            raised.completeExceptionally(broken);
        }
    }

    private BackendFailure silentKeeper(LockName name) {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "token floor of '" + name + "' on " + connection.server()
                        + " was not raised: a client that may keep the lock " + "did not answer within "
                        + connection.commandTimeout(),
                null);
    }
}
