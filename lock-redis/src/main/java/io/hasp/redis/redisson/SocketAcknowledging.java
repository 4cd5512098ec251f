package io.hasp.redis.redisson;

import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.GroupCommit.Replies;
import io.hasp.redis.server.RedisConnection.Evaluation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Waits for replicas of one node, on a socket that is there for this only. */
record SocketAcknowledging(RedissonSockets sockets, String server, int replicas, Duration within)
        implements GroupCommit.Exchange {
    @Override
    public CompletionStage<Replies> send(List<Evaluation> calls) {
        return sockets.get()
                .handle((socket, failure) -> {
                    if (socket == null) {
                        throw RedissonFailures.ofConnecting(server, failure);
                    }
                    return socket;
                })
                .thenCompose(socket -> send(socket, calls));
    }

    /** Replies come in the order of the commands: with the number, all are there. */
    private CompletionStage<Replies> send(RedissonSocket socket, List<Evaluation> calls) {
        List<CompletableFuture<String>> scripts = new ArrayList<>();
        return socket.evaluateAndWait(calls, scripts, replicas, within)
                .thenApply(number -> new Replies(
                        scripts.stream()
                                .map(reply -> reply.exceptionallyCompose(failure ->
                                        CompletableFuture.failedStage(RedissonFailures.ofCommand(server, failure))))
                                .toList(),
                        number))
                .exceptionallyCompose(failure -> {
                    if (!RedissonFailures.isErrorReply(failure)) {
                        sockets.leave(socket);
                    }
                    return CompletableFuture.failedStage(RedissonFailures.ofCommand(server, failure));
                });
    }
}
