package io.hasp.redis.redisson;

import io.hasp.redis.server.ServerIdentity;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.redisson.client.RedisConnection;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisStrictCommand;

/** Reads the identity of the server to which a connection leads. */
final class RedissonInfo {
    private static final RedisStrictCommand<String> INFO = new RedisStrictCommand<>("INFO");

    private RedissonInfo() {}

    /** Completes with the connection when its server was compared; a connection on which that fails is closed. */
    static <T extends RedisConnection> CompletableFuture<T> compared(
            T connection, Duration timeout, ServerIdentity identity) {
        CompletableFuture<String> info = new CompletableFuture<>();
        connection.send(new CommandData<>(info, StringCodec.INSTANCE, INFO, new Object[] {ServerIdentity.SECTION}));
        return info.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(RedissonInfo::hidden)
                .thenApply(reply -> {
                    identity.connected(reply);
                    return connection;
                })
                .whenComplete((fit, failure) -> {
                    if (failure != null) {
                        connection.closeAsync();
                    }
                });
    }

    /** Users may be forbidden to ask. */
    private static CompletionStage<String> hidden(Throwable failure) {
        return RedissonFailures.isErrorReply(failure) && ServerIdentity.hidden(String.valueOf(failure.getMessage()))
                ? CompletableFuture.completedStage("")
                : CompletableFuture.failedStage(failure);
    }
}
