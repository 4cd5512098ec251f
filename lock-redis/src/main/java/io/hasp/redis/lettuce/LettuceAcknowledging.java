package io.hasp.redis.lettuce;

import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Command;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A connection that waits for replicas, made when it is needed. */
final class LettuceAcknowledging implements Acknowledging {
    private final String server;
    private final Duration timeout;
    private final CommandConnection connections;

    LettuceAcknowledging(
            LettuceClient client, Supplier<CompletableFuture<StatefulRedisConnection<String, String>>> connector) {
        this.server = client.server();
        this.timeout = client.commandTimeout();
        this.connections = new CommandConnection(client, connector);
    }

    @Override
    public CompletionStage<Acknowledged> evaluate(
            Command command, String script, List<String> keys, List<String> arguments, int replicas, Duration within) {
        EvalCall call = new EvalCall(command, script, keys, arguments, false);
        CommandArgs<String, String> wait =
                new CommandArgs<>(StringCodec.UTF8).add(replicas).add(within.toMillis());
        return connections
                .connect()
                .handle((connection, failure) -> {
                    if (connection == null) {
                        throw LettuceFailures.ofConnecting(server, failure);
                    }
                    return connection;
                })
                .thenCompose(connection -> call.on(connection)
                        .thenCombine(connection.sendForNumber(CommandType.WAIT, wait), Acknowledged::new)
                        // Not by a timer of Lettuce's, see CommandTimeouts.
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .exceptionallyCompose(failure -> {
                            if (!LettuceFailures.isErrorReply(failure)) {
                                connections.leave(connection);
                            }
                            return CompletableFuture.failedStage(LettuceFailures.ofCommand(server, failure));
                        }));
    }

    /** The next call takes another connection. */
    void replaceConnection() {
        connections.leave();
    }

    /** Nothing more is sent to the server, nor waited for. */
    void leaveServer(RuntimeException why) {
        connections.cut(why);
    }
}
