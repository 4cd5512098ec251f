package io.hasp.redis.jedis;

import io.hasp.redis.blocking.ExceptionSafe;
import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;

/**
 * A few sockets for any number of threads. A thread that finds a socket free sends its command and reads the reply itself, so a
 * lone thread pays for no change of threads. A thread that finds none queues its command; the next thread that gets a socket, the
 * combiner, sends all queued commands together. Sending and receiving many commands at once costs client and server far fewer
 * system calls: with 16 to 64 threads about twice the throughput of a socket for each.
 *
 * <p>No sender waits for longer than the timeout. So a sender combines only while nearly all its time is left, and only on a connected
 * socket. Everything else, and the commands of virtual threads, is sent by I/O threads ({@link PlatformThreads}). A sender whose time is up
 * leaves, and its reply is dropped when it comes. A command that was not sent by then is never sent. Only a combiner may be stuck, in a
 * write that the server does not take: until another sender finds no socket, or a broken one.
 *
 * <p>After Hendler, Incze, Shavit and Tzafrir, <em>Flat Combining and the Synchronization-Parallelism Tradeoff</em> (SPAA
 * 2010). Thread-safe; blocks the caller.
 */
public final class CombiningPool {
    /** The limit for combiners: more combiners than processors only keep the server waiting. */
    public static final int SOCKETS =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

    /** A sender that has used up more than this part of its time does not combine: its read timeout would cut off the others. */
    private static final int PART_WAITED = 8;

    private static final String BROKEN_OFF = "broken off";
    private static final CommandBatch NOTHING = new CommandBatch();

    private final String server;
    private final long timeoutNanos;
    private final PooledSocket[] sockets = new PooledSocket[SOCKETS];
    private final Queue<PendingCommand> waiting = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor ioThreads = PlatformThreads.atMost(SOCKETS);
    /** Rises when a socket breaks: what cut it has probably cut the others, too. */
    private final AtomicInteger generation = new AtomicInteger();

    private final Runnable onBreak;
    private volatile boolean closed;

    public CombiningPool(String server, Duration timeout, Supplier<PollableConnection> connect, Runnable onBreak) {
        this(server, timeout, connect, onBreak, PooledSocket.FRESH);
    }

    /**
     * Creates a pool without sockets.
     *
     * @param fresh the time for which a socket may be idle without a check
     */
    CombiningPool(
            String server, Duration timeout, Supplier<PollableConnection> connect, Runnable onBreak, Duration fresh) {
        this.onBreak = onBreak;
        this.server = server;
        this.timeoutNanos = timeout.toNanos();
        for (int i = 0; i < SOCKETS; i++) {
            sockets[i] = new PooledSocket(server, connect, fresh);
        }
    }

    /** Completed when it is returned, after the timeout at the latest, as {@link RedisConnection#evaluate} says. */
    public CompletableFuture<String> send(CommandArguments command) {
        return send(command, false);
    }

    /** The same; {@code asking} if the server is a node of a cluster to which another one has sent us for this command. */
    CompletableFuture<String> send(CommandArguments command, boolean asking) {
        PendingCommand mine = pending(command, asking);
        boolean combines = !PlatformThreads.needed();
        try {
            if (!combines || !combine(mine, mine.queuedAt, timeoutNanos, false)) {
                waiting.add(mine);
                await(mine, combines);
            }
        } catch (RuntimeException | Error e) {
            broken(mine, e);
        }
        return mine.reply;
    }

    private void broken(PendingCommand mine, Throwable error) {
        mine.fail(mine.take() ? RedisFailures.unreachable(server, error) : RedisFailures.silent(server, error));
        wakeNext();
    }

    PendingCommand pending(CommandArguments command, boolean asking) {
        return new PendingCommand(command, asking, timeoutNanos);
    }

    /** Queues a command that this thread waits for later, perhaps after a wait for another server. */
    void queue(PendingCommand mine, boolean elsewhere) {
        try {
            mine.senderElsewhere = elsewhere;
            waiting.add(mine);
            if (elsewhere) {
                wake(mine);
            }
        } catch (RuntimeException | Error e) {
            broken(mine, e);
        }
    }

    /** Waits for the reply to a queued command; never throws. */
    void awaitQueued(PendingCommand mine) {
        try {
            await(mine, !PlatformThreads.needed());
        } catch (RuntimeException | Error e) {
            broken(mine, e);
        }
    }

    /** An interrupt is kept for later: a release that it would break off leaves the lock taken for the rest of its lease. */
    private void await(PendingCommand mine, boolean platform) {
        boolean interrupted = false;
        while (!mine.reply.isDone()) {
            long now = System.nanoTime();
            long left = mine.deadline - now;
            if (mine.abandoned || left <= 0 || (closed && !mine.taken())) {
                leave(mine);
            } else if (mine.taken() || !served(platform, now, left)) {
                park(mine, left);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Gets the queued commands sent, by this thread if it has enough time left. True if this thread sent some: its own may be
     * next. Otherwise another thread sends the command and wakes the sender.
     */
    private boolean served(boolean platform, long now, long left) {
        if (platform && left > timeoutNanos - timeoutNanos / PART_WAITED && combine(null, now, left, false)) {
            return true;
        }
        startCombiner();
        return false;
    }

    /** A command that is not sent by now never is. The reply to a sent one is dropped when it comes. */
    private void leave(PendingCommand mine) {
        if (mine.take()) {
            waiting.remove(mine);
            mine.fail(closed ? notSent("closed") : mine.abandoned ? notSent(BROKEN_OFF) : late());
            wakeNext();
        } else {
            mine.fail(RedisFailures.silent(
                    server,
                    mine.abandoned ? new SocketException(BROKEN_OFF) : new SocketTimeoutException("timed out")));
        }
    }

    /** A server that keeps a socket from being connected is not to be mistaken for a crowd of senders. */
    private RuntimeException late() {
        for (PooledSocket socket : sockets) {
            if (socket.connecting) {
                return RedisFailures.unreachable(server, new SocketTimeoutException("connecting timed out"));
            }
        }
        return RedisFailures.unreachable(server, new SocketTimeoutException("no socket became free in time"));
    }

    private void park(PendingCommand mine, long nanos) {
        if (!mine.reply.isDone() && !mine.abandoned) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** If no socket is free, the thread that uses one wakes a waiting sender afterwards; one that is stuck in a write is freed. */
    private void startCombiner() {
        for (PooledSocket socket : sockets) {
            socket.cutStuckWrite(timeoutNanos);
            if (socket.taken == 0) {
                try {
                    ioThreads.execute(this::combineForOthers);
                } catch (RejectedExecutionException e) {
                    // Closed, which the sender notices by itself.
                }
                return;
            }
        }
    }

    private void combineForOthers() {
        try {
            combine(null, System.nanoTime(), timeoutNanos, true);
        } catch (RuntimeException | Error e) {
            // The senders see that their commands were abandoned.
        }
    }

    /**
     * Sends {@code first}, if there is one, and the queued commands. After any error the socket is free again, and every sender can
     * see that its command was abandoned: both are plain writes, because a call may fail for want of heap or stack.
     *
     * @param now on {@link System#nanoTime}
     * @param nanos for how long to wait for replies
     * @param connects whether it may connect, which takes any time
     * @return false if nothing was sent: no socket is free, the free one is not connected and has to be, or the queue is empty
     */
    private boolean combine(@Nullable PendingCommand first, long now, long nanos, boolean connects) {
        for (PooledSocket socket : sockets) {
            if (socket.take()) {
                CommandBatch batch = NOTHING;
                boolean combines = false;
                try {
                    int current = generation.get();
                    if (connects || closed || socket.connected(current, now)) {
                        batch = new CommandBatch();
                        batch.collect(first, waiting);
                        combines = batch.size > 0;
                        exchange(socket, batch, current, now, nanos);
                    }
                } finally {
                    if (socket.connecting) {
                        socket.connecting = false;
                    }
                    socket.taken = 0;
                    for (int i = 0; i < batch.size; i++) {
                        batch.commands[i].abandoned = true;
                    }
                    batch.forEach(PendingCommand::wakeSender);
                    wakeNext();
                    if (closed) {
                        close();
                    }
                }
                return combines;
            }
        }
        return false;
    }

    private void exchange(PooledSocket socket, CommandBatch batch, int current, long now, long nanos) {
        if (closed) {
            batch.fail(notSent("closed"));
        } else if (batch.size > 0
                && !socket.exchange(batch, current, now, nanos)
                && generation.compareAndSet(current, current + 1)) {
            for (PooledSocket other : sockets) {
                other.cutStuckWrite(timeoutNanos);
            }
            onBreak.run();
        }
    }

    /** The next commands go to the server that the address leads to by then. */
    void replaceSockets() {
        generation.incrementAndGet();
        onBreak.run();
    }

    /** Closes all sockets to the former server, and fails all calls that wait for its replies. */
    void cutSockets() {
        generation.incrementAndGet();
        for (PooledSocket socket : sockets) {
            socket.cut();
        }
    }

    /** Wakes one waiting sender: it finds the free socket and combines for all of them. */
    private void wakeNext() {
        PendingCommand next = waiting.peek();
        while (next != null && next.taken()) {
            waiting.remove(next); // An error kept its sender from doing so.
            next = waiting.peek();
        }
        if (next != null) {
            wake(next);
        }
    }

    private void wake(PendingCommand next) {
        if (next.senderElsewhere) {
            try {
                startCombiner();
                return;
            } catch (RuntimeException | Error e) {
                // Then its sender sends it, later.
            }
        }
        next.wakeSender();
    }

    private RuntimeException notSent(String why) {
        return RedisFailures.unreachable(server, new SocketException(why));
    }

    /** Ends the idle sockets now, and each other one when its replies are in. Idempotent. */
    public void close() {
        closed = true;
        try {
            ExceptionSafe.forEach(List.of(sockets), this::disconnect);
        } finally {
            ioThreads.shutdown();
            waiting.forEach(PendingCommand::wakeSender);
        }
    }

    private void disconnect(PooledSocket socket) {
        if (!socket.take()) {
            socket.cutStuckWrite(timeoutNanos);
            return;
        }
        try {
            socket.disconnect();
        } finally {
            socket.taken = 0;
        }
    }
}
