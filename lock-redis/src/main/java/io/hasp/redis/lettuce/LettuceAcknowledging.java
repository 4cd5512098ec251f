package io.hasp.redis.lettuce;

import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.GroupCommit.Replies;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisConnection.Evaluation;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A connection that waits for replicas, made when it is needed. */
final class LettuceAcknowledging implements GroupCommit.Exchange {
    private final String server;
    private final Duration timeout;
    private final CommandConnection connections;
    private final int replicas;
    private final Duration within;

    LettuceAcknowledging(
            LettuceClient client,
            Supplier<CompletableFuture<StatefulRedisConnection<String, String>>> connector,
            int replicas,
            Duration within) {
        this.server = client.server();
        this.timeout = client.commandTimeout();
        this.connections = new CommandConnection(client, connector);
        this.replicas = replicas;
        this.within = within;
    }

    @Override
    public CompletionStage<Replies> send(List<Evaluation> calls) {
        return connections
                .connect()
                .handle((connection, failure) -> {
                    if (connection == null) {
                        throw LettuceFailures.ofConnecting(server, failure);
                    }
                    return connection;
                })
                .thenCompose(connection -> send(connection, calls));
    }

    private CompletionStage<Replies> send(OrderedConnection connection, List<Evaluation> calls) {
        List<CompletableFuture<String>> scripts = new ArrayList<>();
        for (Evaluation call : calls) {
            scripts.add(new EvalCall(Command.EVALSHA, call.digest(), call.keys(), call.arguments(), call.asking())
                    .on(connection)
                    .exceptionallyCompose(
                            failure -> CompletableFuture.failedStage(LettuceFailures.ofCommand(server, failure))));
        }
        CommandArgs<String, String> wait =
                new CommandArgs<>(StringCodec.UTF8).add(replicas).add(within.toMillis());
        // Replies come in the order of the commands: with this one, all are there.
        return connection
                .sendForNumber(CommandType.WAIT, wait)
                .thenApply(number -> new Replies(scripts, number))
                // Not by a timer of Lettuce's, see CommandTimeouts.
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> {
                    if (!LettuceFailures.isErrorReply(failure)) {
                        connections.leave(connection);
                    }
                    return CompletableFuture.failedStage(LettuceFailures.ofCommand(server, failure));
                });
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
