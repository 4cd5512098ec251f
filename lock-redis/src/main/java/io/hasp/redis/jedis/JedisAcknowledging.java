package io.hasp.redis.jedis;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Acknowledging;
import io.hasp.redis.server.RedisConnection.Command;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** A socket and a thread that wait for replicas. Both are made when they are needed; the thread ends when it is idle. */
final class JedisAcknowledging implements Acknowledging {
    private final String server;
    private final Duration commandTimeout;
    private final Supplier<PollableConnection> connect;
    private final ThreadPoolExecutor thread = PlatformThreads.atMost(1);
    private volatile @Nullable PollableConnection connection;
    /** The socket that is there, or on its way, leads to a former server. */
    private volatile boolean left;

    private volatile boolean closed;

    JedisAcknowledging(String server, Duration commandTimeout, Supplier<PollableConnection> connect) {
        this.server = server;
        this.commandTimeout = commandTimeout;
        this.connect = connect;
    }

    @Override
    public CompletionStage<Acknowledged> evaluate(
            Command command, String script, List<String> keys, List<String> arguments, int replicas, Duration within) {
        CompletableFuture<Acknowledged> answer = new CompletableFuture<>();
        try {
            CommandArguments evaluation = EvalCommand.of(command, script, keys, arguments);
            CommandArguments wait =
                    new CommandArguments(Protocol.Command.WAIT).add(replicas).add(within.toMillis());
            thread.execute(() -> exchange(evaluation, wait, within, answer));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(RedisFailures.unreachable(server, e));
        }
        return answer;
    }

    private void exchange(
            CommandArguments evaluation,
            CommandArguments wait,
            Duration within,
            CompletableFuture<Acknowledged> answer) {
        PollableConnection socket;
        try {
            socket = connected();
        } catch (RuntimeException e) {
            answer.completeExceptionally(JedisFailures.notConnected(server, e));
            return;
        } catch (Error e) {
            answer.completeExceptionally(RedisFailures.unreachable(server, e));
            return;
        }
        Acknowledged acknowledged;
        try {
            socket.sendCommand(evaluation);
            socket.sendCommand(wait);
            socket.lookForReply();
            socket.waitAtMost(commandTimeout.plus(within).toNanos());
            acknowledged = replies(socket);
        } catch (ErrorReplyException e) {
            answer.completeExceptionally(e);
            return;
        } catch (RuntimeException | Error e) {
            disconnect();
            answer.completeExceptionally(RedisFailures.silent(server, JedisFailures.notAnswered(e)));
            return;
        }
        answer.complete(acknowledged);
    }

    /** Both are read, also if the first one is an error: a reply that is left would be that to another command. */
    private static Acknowledged replies(PollableConnection socket) {
        String reply = "";
        JedisDataException refusal = null;
        try {
            reply = String.valueOf(socket.getBulkReply());
        } catch (JedisDataException e) {
            refusal = e;
        }
        long replicas = 0;
        try {
            replicas = socket.getIntegerReply();
        } catch (JedisDataException e) {
            refusal = refusal == null ? e : refusal;
        }
        if (refusal != null) {
            throw new ErrorReplyException(String.valueOf(refusal.getMessage()));
        }
        return new Acknowledged(reply, replicas);
    }

    private PollableConnection connected() {
        PollableConnection present = connection;
        if (present != null && !left) {
            return present;
        }
        disconnect();
        left = false;
        PollableConnection socket = connect.get();
        connection = socket;
        // Who leaves or closes after this check finds the socket.
        if (left || closed) {
            disconnect();
            throw RedisFailures.unreachable(server, new SocketException(closed ? "closed" : "left"));
        }
        return socket;
    }

    private void disconnect() {
        PollableConnection socket = connection;
        connection = null;
        if (socket != null) {
            socket.cut();
        }
    }

    /** Nothing more is sent to the server, nor waited for. */
    void leaveServer() {
        left = true;
        PollableConnection socket = connection;
        if (socket != null) {
            socket.cut();
        }
    }

    void close() {
        closed = true;
        leaveServer();
        thread.shutdown();
    }
}
