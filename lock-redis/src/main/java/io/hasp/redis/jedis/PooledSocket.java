package io.hasp.redis.jedis;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One socket, connected when it is needed. Used by the one thread that has taken it.
 *
 * <p>After any failure, of heap, stack or network, a socket with an unread reply is never used again: that reply would answer
 * another command.
 */
final class PooledSocket {
    /** Servers and networks cut sockets that are idle for long without a word. */
    static final Duration FRESH = Duration.ofSeconds(30);

    private static final int PART_OF_TIMEOUT = 4;

    private static final AtomicIntegerFieldUpdater<PooledSocket> TAKEN =
            AtomicIntegerFieldUpdater.newUpdater(PooledSocket.class, "taken");

    /** 1 while a thread uses it. Given back by writing 0: a plain write, unlike a call, can't fail for want of heap or stack. */
    volatile int taken;

    /** True while a thread connects the socket, and until the call that needs it has the outcome. */
    volatile boolean connecting;

    private final String server;
    private final Supplier<PollableConnection> connect;
    private volatile @Nullable PollableConnection connection;
    /** Cut by another thread since this one began to connect. */
    private volatile boolean wasCut;

    /** Set while commands are being written; written after {@code writingSince}. Read by any thread. */
    private volatile boolean writing;

    private volatile long writingSince;

    /** Set before anything is sent, cleared when all replies are read. */
    private boolean owesReplies;

    private final long freshNanos;
    private int generation;
    private long usedAt;

    /**
     * Not connected yet.
     *
     * @param fresh how long it may be idle without a check
     */
    PooledSocket(String server, Supplier<PollableConnection> connect, Duration fresh) {
        this.server = server;
        this.connect = connect;
        this.freshNanos = fresh.toNanos();
    }

    /** Takes it, as the last step. False if another thread has it. */
    boolean take() {
        return taken == 0 && TAKEN.compareAndSet(this, 0, 1);
    }

    /** True if it can send at once, on a socket of the wanted generation. */
    boolean connected(int wanted, long now) {
        return open(wanted) && now - usedAt <= freshNanos;
    }

    private boolean open(int wanted) {
        return connection != null && !owesReplies && generation == wanted;
    }

    /**
     * Sends the commands whose senders still wait, then reads all replies. A failure is the answer to each command without a reply.
     *
     * @param wanted sockets of another generation are replaced first
     * @param now on {@link System#nanoTime}
     * @param nanos for how long to wait for replies
     * @return false if the socket broke
     */
    boolean exchange(CommandBatch batch, int wanted, long now, long nanos) {
        boolean ready = connected(wanted, now);
        if (!ready) {
            connecting = true;
        }
        PollableConnection socket;
        try {
            socket = ready ? connection() : replaced(wanted, nanos);
        } catch (RuntimeException e) {
            batch.fail(JedisFailures.notConnected(server, e));
            return true;
        } catch (Error e) {
            batch.fail(RedisFailures.unreachable(server, e));
            return true;
        }
        long start = now;
        if (!ready) {
            connecting = false;
            start = System.nanoTime();
        }
        batch.take(start);
        owesReplies = batch.size > 0;
        try {
            exchange(batch, socket, start, nanos);
            usedAt = System.nanoTime();
            owesReplies = false;
            return true;
        } catch (RuntimeException | Error e) {
            disconnect();
            batch.fail(RedisFailures.silent(server, JedisFailures.notAnswered(e)));
            // An Error is this process's own trouble, and says nothing of the other sockets.
            return !(e instanceof JedisException);
        }
    }

    /** The time is for all replies together, because the first sender waits for the last one. */
    private void exchange(CommandBatch batch, PollableConnection socket, long start, long nanos) {
        if (batch.size == 0) {
            return;
        }
        writingSince = start;
        writing = true;
        try {
            batch.forEach(pending -> send(socket, pending));
            socket.lookForReply();
        } finally {
            writing = false;
        }
        socket.waitAtMost(nanos);
        batch.forEach(pending -> receive(socket, pending));
    }

    private static void send(PollableConnection socket, PendingCommand pending) {
        if (pending.asking) {
            socket.sendCommand(Protocol.Command.ASKING);
        }
        socket.sendCommand(pending.command);
    }

    private static void receive(PollableConnection socket, PendingCommand pending) {
        if (pending.asking) {
            receiveAsked(socket);
        }
        try {
            pending.reply.complete(socket.getBulkReply());
        } catch (JedisDataException e) {
            pending.fail(new ErrorReplyException(String.valueOf(e.getMessage())));
        }
    }

    /** If it was refused, so is the command behind it. */
    private static void receiveAsked(PollableConnection socket) {
        try {
            socket.getStatusCodeReply();
        } catch (JedisDataException e) {
            // Read, which is what matters.
        }
    }

    private PollableConnection connection() {
        return Objects.requireNonNull(connection);
    }

    /**
     * A socket that was idle may lead to where the address led before, so another one is connected. If that fails, the idle one is used as
     * long as its server answers.
     */
    private PollableConnection replaced(int wanted, long nanos) {
        boolean idle = open(wanted);
        if (!idle) {
            disconnect();
        }
        wasCut = false;
        PollableConnection socket;
        try {
            socket = connect.get();
        } catch (RuntimeException e) {
            if (idle && !wasCut && answers(connection(), nanos / PART_OF_TIMEOUT)) {
                return connection();
            }
            disconnect();
            throw e;
        }
        if (idle) {
            connection().cut();
        }
        owesReplies = false;
        connection = socket;
        generation = wanted;
        if (wasCut) {
            disconnect();
            throw new JedisConnectionException("the master is another by now");
        }
        return socket;
    }

    private boolean answers(PollableConnection idle, long nanos) {
        owesReplies = true;
        try {
            idle.waitAtMost(nanos);
            owesReplies = !idle.ping();
        } catch (RuntimeException e) {
            return false;
        }
        return !owesReplies;
    }

    /**
     * Ends the socket if it is being written to for longer than that: a server that stands still takes no more when its buffers are
     * full, and a write has no timeout of its own. Called by any thread.
     */
    void cutStuckWrite(long nanos) {
        PollableConnection socket = connection;
        if (socket != null && writing && System.nanoTime() - writingSince > nanos) {
            socket.cut();
        }
    }

    /** Ends the socket, also under a thread that uses it. Called by any thread. */
    void cut() {
        wasCut = true;
        PollableConnection socket = connection;
        if (socket != null) {
            socket.cut();
        }
    }

    void disconnect() {
        cut();
        connection = null;
    }
}
