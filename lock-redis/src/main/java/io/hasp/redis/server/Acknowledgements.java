package io.hasp.redis.server;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisConnection.Evaluation;
import io.hasp.redis.server.ServerRenewals.Request;
import io.hasp.spi.Grant;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Confirms grants by replicas: renews each grant on a connection for this purpose only, and waits for replicas behind it. Thread-safe;
 * never blocks.
 */
public final class Acknowledgements {
    private static final char HELD = '1';

    private final RedisConnection connection;
    private final LockKeys keys;
    private final Acknowledging waits;
    /** One wait for replicas may be under way already, and the caller's own comes behind it. */
    private final Duration longest;

    /**
     * The state of a grant after the wait for replicas.
     *
     * @param held whether the server still had the grant for its holder
     * @param replicas the number of replicas that have received it
     */
    public record Answer(boolean held, long replicas) {}

    public Acknowledgements(RedisConnection connection, LockKeys keys, int replicas, Duration within) {
        this.connection = connection;
        this.keys = keys;
        this.waits = connection.acknowledging(replicas, within);
        this.longest = connection.commandTimeout().plus(within.multipliedBy(2));
    }

    /** Confirms a grant by a write, and waits for replicas; the stage takes a command timeout and two such waits at most. */
    public CompletionStage<Answer> confirm(Grant grant) {
        return ask(ServerRenewals.request(keys, List.of(grant)))
                .toCompletableFuture()
                .copy()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        failure instanceof TimeoutException
                                ? RedisFailures.silent(connection.server(), new SocketTimeoutException("timed out"))
                                : failure))
                .thenApply(answer -> new Answer(answer.reply().charAt(0) == HELD, answer.replicas()));
    }

    /** Once more if the socket turned out to be closed: a renewal may be asked for twice. */
    private CompletionStage<Acknowledged> ask(Request request) {
        return once(request)
                .exceptionallyCompose(failure ->
                        RedisFailures.cutOff(failure) ? once(request) : CompletableFuture.failedStage(failure));
    }

    /** A server that does not know the script learns it from the text, which needs no wait. */
    private CompletionStage<Acknowledged> once(Request request) {
        Evaluation call = new Evaluation(request.script().sha(), request.keys(), request.arguments(), false);
        return waits.evaluate(call)
                .exceptionallyCompose(failure -> RedisFailures.unknownScript(failure)
                        ? connection
                                .evaluate(Command.EVAL, request.script().text(), request.keys(), request.arguments())
                                .thenCompose(known -> waits.evaluate(call))
                        : CompletableFuture.failedStage(failure));
    }
}
