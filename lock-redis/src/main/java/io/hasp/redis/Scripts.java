package io.hasp.redis;

import io.hasp.redis.RedisConnection.Command;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Runs scripts by their digest; a server that does not know one (restart, {@code SCRIPT FLUSH}) gets the text. */
record Scripts(RedisConnection connection) {

    CompletionStage<String> run(Script script, List<String> keys, List<String> arguments) {
        return connection
                .evaluate(Command.EVALSHA, script.sha(), keys, arguments)
                .exceptionallyCompose(failure -> unknown(failure)
                        ? connection.evaluate(Command.EVAL, script.text(), keys, arguments)
                        : CompletableFuture.failedStage(failure));
    }

    private static boolean unknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ServerError error && error.reply().startsWith("NOSCRIPT");
    }
}
