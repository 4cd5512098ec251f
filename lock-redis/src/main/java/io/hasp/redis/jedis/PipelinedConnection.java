package io.hasp.redis.jedis;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisEndpoint;
import io.hasp.spi.Credentials;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One socket to one node, on which several replies may be outstanding: no call waits for a slow node, and a call that is sent
 * later also arrives later. The replies come in the order of the calls. Jedis writes and reads the protocol; its own
 * connection can't be asked whether a reply is there. Used by one thread at a time.
 *
 * <p>A connection on which an error interrupted a step is broken: its next reply may answer another call.
 *
 * <p>A node that stands still reads nothing. When its buffers are full, a write to it takes until it goes on: Java's sockets have
 * no timeout for that. So another thread may have to {@link #cutStuckWrite cut} it.
 */
public final class PipelinedConnection {
    /** Servers and networks cut sockets that are idle for long without a word. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** After such a reply the server closes the socket: to the next call that would look like an outage. */
    private static final String CUT = "ERR Protocol error";

    /** Gets the result of a call. Exactly one of the two is not null. */
    @FunctionalInterface
    public interface ReplyCallback {
        void answered(@Nullable String reply, @Nullable RuntimeException failure);
    }

    private record Awaited(ScriptCall call, ReplyCallback callback, long sentAt) {}

    public final int generation;
    private final String server;
    private final Socket socket;
    private final TimedInput timed;
    private final RedisInputStream in;
    private final RedisOutputStream out;
    private final Deque<Awaited> awaited = new ArrayDeque<>();
    private final Duration timeout;
    /** Set before bytes move, cleared when call and reply are whole again. */
    private boolean halfWay;

    private long usedAt = System.nanoTime();

    /** Set while a call is being written; written after {@code writingSince}. Read by any thread. */
    private volatile boolean writing;

    private volatile long writingSince;

    /** Connects within the command timeout of the configuration; throws as {@link JedisFailures#notConnected} says. */
    public static PipelinedConnection to(RedisEndpoint endpoint, int generation, JedisSocketFactory sockets) {
        Socket socket = null;
        boolean connected = false;
        try {
            socket = sockets.createSocket();
            PipelinedConnection connection = new PipelinedConnection(endpoint, socket, generation);
            connection.introduce(endpoint);
            connected = true;
            return connection;
        } catch (RuntimeException | IOException e) {
            throw JedisFailures.notConnected(
                    endpoint.server(),
                    e instanceof RuntimeException failure ? failure : new JedisConnectionException(e));
        } finally {
            if (!connected) {
                close(socket);
            }
        }
    }

    private PipelinedConnection(RedisEndpoint endpoint, Socket socket, int generation) throws IOException {
        this.server = endpoint.server();
        this.timeout = endpoint.commandTimeout();
        this.socket = socket;
        this.generation = generation;
        this.timed = new TimedInput(socket);
        this.in = new RedisInputStream(timed);
        this.out = new RedisOutputStream(socket.getOutputStream());
    }

    private void introduce(RedisEndpoint endpoint) throws IOException {
        if (endpoint.credentials().isPresent()) {
            Credentials present = endpoint.credentials().get().get();
            CommandArguments auth = new CommandArguments(Protocol.Command.AUTH);
            if (!present.user().isEmpty()) {
                auth.add(present.user());
            }
            ask(auth.add(present.password()));
        }
        if (endpoint.clientName().isPresent()) {
            ask(new CommandArguments(Protocol.Command.CLIENT)
                    .add("SETNAME")
                    .add(endpoint.clientName().get()));
        }
        if (endpoint.database() != 0) {
            ask(new CommandArguments(Protocol.Command.SELECT).add(endpoint.database()));
        }
    }

    private void ask(CommandArguments command) throws IOException {
        Protocol.sendCommand(out, command);
        out.flush();
        timed.within(timeout);
        read();
    }

    /** Jedis 6 and 7 have no other method. It is deprecated since 8 because of RESP3's pushes, and RESP2 has none. */
    @SuppressWarnings("deprecation")
    private Object read() {
        return Protocol.read(in);
    }

    /** Sends a call. The callback runs exactly once, now at the earliest. */
    public void send(ScriptCall call, long now, ReplyCallback callback) {
        halfWay = true;
        try {
            awaited.add(new Awaited(call, callback, now));
            write(EvalCommand.byDigest(call));
            halfWay = false;
        } catch (IOException | RuntimeException e) {
            discard(e);
        }
    }

    private void write(CommandArguments command) throws IOException {
        writingSince = System.nanoTime();
        writing = true;
        try {
            Protocol.sendCommand(out, command);
            out.flush();
        } finally {
            writing = false;
        }
    }

    /** Closes the socket if a write to it takes longer than this; the writer then finds it closed. Called by any thread. */
    public void cutStuckWrite(long nanos) {
        if (writing && System.nanoTime() - writingSince > nanos) {
            close(socket);
        }
    }

    public boolean awaitsReply() {
        return !awaited.isEmpty();
    }

    public int backlog() {
        return awaited.size();
    }

    /** True if the oldest reply has been awaited for longer than {@code nanos}. */
    public boolean overdue(long nanos) {
        Awaited oldest = awaited.peek();
        return oldest != null && System.nanoTime() - oldest.sentAt() > nanos;
    }

    public boolean stale() {
        return System.nanoTime() - usedAt > FRESH_NANOS;
    }

    /** Takes the replies that have arrived. Returns false if there was none. */
    public boolean receive() {
        boolean any = false;
        try {
            while (awaitsReply() && !halfWay && in.available() > 0) {
                halfWay = true;
                receiveOne();
                halfWay = false;
                any = true;
            }
        } catch (IOException | RuntimeException e) {
            discard(e);
        }
        return any;
    }

    /** Waits for a reply, and takes it. Returns false if no reply came in time, or the connection broke. */
    public boolean receiveWithin(Duration time) {
        if (broken()) {
            discard(new IllegalStateException("broken off"));
            return false;
        }
        halfWay = true;
        try {
            timed.within(time);
            boolean there = replyComes();
            if (there) {
                receiveOne();
            }
            halfWay = false;
            return there;
        } catch (IOException | RuntimeException e) {
            discard(e);
            return false;
        }
    }

    /** Looks at the first byte and leaves it: a timeout now does no harm. */
    private boolean replyComes() throws IOException {
        try {
            in.peek(Protocol.DOLLAR_BYTE);
            return true;
        } catch (JedisConnectionException e) {
            if (e.getCause() instanceof SocketTimeoutException) {
                return false;
            }
            throw e;
        }
    }

    private void receiveOne() throws IOException {
        Awaited oldest = awaited.element();
        timed.within(timeout);
        String reply = null;
        String error = "";
        try {
            reply = new String((byte[]) read(), StandardCharsets.UTF_8);
        } catch (JedisDataException e) {
            error = String.valueOf(e.getMessage());
        }
        usedAt = System.nanoTime();
        awaited.remove();
        if (reply == null && error.startsWith("NOSCRIPT")) {
            awaited.add(oldest);
            write(EvalCommand.byText(oldest.call()));
        } else {
            oldest.callback().answered(reply, reply == null ? new ErrorReplyException(error) : null);
        }
        if (error.startsWith(CUT)) {
            discard(new ErrorReplyException(error));
        }
    }

    public boolean broken() {
        return halfWay || socket.isClosed();
    }

    /** Sends a call and waits for its reply, as {@link RedisConnection#evaluate} does. */
    public String answer(ScriptCall call) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        send(call, System.nanoTime(), (reply, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(reply);
            }
        });
        await();
        return answer.join();
    }

    /** Waits for the replies to all that was sent; ends the connection if one does not come in time. */
    public void await() {
        while (awaitsReply()) {
            if (overdue(timeout.toNanos())) {
                discard(new SocketTimeoutException("timed out"));
            } else {
                receiveWithin(timeout);
            }
        }
    }

    /**
     * Closes the connection without waiting for replies, because a late reply would answer the next call. Runs every callback. An exception
     * of a callback or of the socket is thrown at the end.
     */
    public void discard(Throwable why) {
        try {
            close(socket);
        } finally {
            // What came after the call that the server cut the socket for was not even looked at.
            fail(
                    why instanceof ErrorReplyException refusal
                            ? refusal
                            : RedisFailures.silent(server, JedisFailures.notAnswered(why)));
        }
    }

    private void fail(RuntimeException failure) {
        Throwable first = null;
        while (!awaited.isEmpty()) {
            try {
                awaited.remove().callback().answered(null, failure);
            } catch (RuntimeException | Error e) {
                first = first == null ? e : first;
            }
        }
        ExceptionSafe.rethrow(first);
    }

    private static void close(@Nullable Socket socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more in any case.
            }
        }
    }
}
