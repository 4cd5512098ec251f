package io.hasp.redis.jedis;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.GroupCommit.Replies;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.redis.server.RedisConnection.Evaluation;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
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
final class JedisAcknowledging implements GroupCommit.Exchange {
    private final String server;
    private final Duration commandTimeout;
    private final Supplier<PollableConnection> connect;
    private final int replicas;
    private final Duration within;
    private final long freshNanos;
    private final ThreadPoolExecutor thread = PlatformThreads.atMost(1);
    private volatile @Nullable PollableConnection connection;
    /** The socket that is there, or on its way, leads to a former server. */
    private volatile boolean left;

    private volatile boolean closed;
    /** Belongs to the thread. */
    private long usedAt;

    /**
     * Connects nothing yet.
     *
     * @param fresh the time for which the socket may be idle: networks cut idle sockets without a word
     */
    JedisAcknowledging(
            String server,
            Duration commandTimeout,
            Supplier<PollableConnection> connect,
            int replicas,
            Duration within,
            Duration fresh) {
        this.server = server;
        this.commandTimeout = commandTimeout;
        this.connect = connect;
        this.replicas = replicas;
        this.within = within;
        this.freshNanos = fresh.toNanos();
    }

    @Override
    public CompletionStage<Replies> send(List<Evaluation> calls) {
        CompletableFuture<Replies> answer = new CompletableFuture<>();
        try {
            thread.execute(() -> exchange(calls, answer));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(RedisFailures.unreachable(server, e));
        }
        return answer;
    }

    private void exchange(List<Evaluation> calls, CompletableFuture<Replies> answer) {
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
        Replies replies;
        try {
            for (Evaluation call : calls) {
                if (call.asking()) {
                    socket.sendCommand(Protocol.Command.ASKING);
                }
                socket.sendCommand(EvalCommand.of(Command.EVALSHA, call.digest(), call.keys(), call.arguments()));
            }
            socket.sendCommand(
                    new CommandArguments(Protocol.Command.WAIT).add(replicas).add(within.toMillis()));
            socket.lookForReply();
            socket.waitAtMost(commandTimeout.plus(within).toNanos());
            replies = replies(socket, calls);
        } catch (ErrorReplyException e) {
            answer.completeExceptionally(e);
            return;
        } catch (RuntimeException | Error e) {
            disconnect();
            answer.completeExceptionally(RedisFailures.silent(server, JedisFailures.notAnswered(e)));
            return;
        }
        usedAt = System.nanoTime();
        answer.complete(replies);
    }

    /** All are read, also behind one that is an error: a reply that is left would be that to another command. */
    private static Replies replies(PollableConnection socket, List<Evaluation> calls) {
        List<CompletableFuture<String>> scripts = new ArrayList<>();
        for (Evaluation call : calls) {
            if (call.asking()) {
                reply(socket::getStatusCodeReply);
            }
            scripts.add(reply(socket::getBulkReply));
        }
        try {
            return new Replies(scripts, socket.getIntegerReply());
        } catch (JedisDataException e) {
            throw new ErrorReplyException(String.valueOf(e.getMessage()));
        }
    }

    private static CompletableFuture<String> reply(Supplier<@Nullable String> read) {
        try {
            return CompletableFuture.completedFuture(String.valueOf(read.get()));
        } catch (JedisDataException e) {
            return CompletableFuture.failedFuture(new ErrorReplyException(String.valueOf(e.getMessage())));
        }
    }

    /** If no other socket can be connected, the idle one is used. */
    private PollableConnection connected() {
        PollableConnection idle = left ? null : connection;
        if (idle != null && System.nanoTime() - usedAt <= freshNanos) {
            return idle;
        }
        if (idle == null) {
            disconnect();
            left = false;
        }
        PollableConnection socket;
        try {
            socket = connect.get();
        } catch (RuntimeException e) {
            if (idle != null && !left) {
                return idle;
            }
            throw e;
        }
        disconnect();
        connection = socket;
        // A thread that leaves the server or closes after this check finds the socket.
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
