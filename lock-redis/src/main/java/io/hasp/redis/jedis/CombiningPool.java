package io.hasp.redis.jedis;

import io.hasp.redis.blocking.PlatformThreads;
import io.hasp.redis.blocking.StackReserve;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
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
 * A few sockets for any number of threads. Who finds a socket free sends its command and reads the reply itself, so a lone
 * thread pays for no hand-over. Who finds none puts the command in a queue; the next to get a socket carries all that is
 * queued in one go. Sending and receiving many commands at once costs client and server far fewer system calls: with 16 to
 * 64 threads about twice the throughput of a socket for each.
 *
 * <p>Nobody is kept for longer than the timeout. So senders carry only while nearly all their time is left, and on sockets that
 * are connected. Anything else, and what virtual threads send, is carried by threads that nobody waits for
 * ({@link PlatformThreads}): a sender whose time is over leaves, and its reply is dropped when it comes. What was not sent by
 * then never is.
 *
 * <p>After Hendler, Incze, Shavit and Tzafrir, <em>Flat Combining and the Synchronization-Parallelism Tradeoff</em> (SPAA
 * 2010). Thread-safe; blocks the caller.
 */
public final class CombiningPool {
    /** More threads that carry than processors only keep the server waiting. */
    public static final int SOCKETS =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

    /** Who has waited for a larger part of its time does not carry: its socket would soon give up on the others. */
    private static final int PART_WAITED = 8;

    private static final String BROKEN_OFF = "broken off";
    private static final CommandBatch NOTHING = new CommandBatch();

    private final String server;
    private final long timeoutNanos;
    private final PooledSocket[] lanes = new PooledSocket[SOCKETS];
    private final Queue<PendingCommand> waiting = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor carriers = PlatformThreads.atMost(SOCKETS);
    /** Rises when a socket breaks: what cut it has probably cut the others, too. */
    private final AtomicInteger generation = new AtomicInteger();

    private final Runnable onBreak;
    private volatile boolean closed;

    public CombiningPool(String server, Duration timeout, Supplier<PollableConnection> connect, Runnable onBreak) {
        this.onBreak = onBreak;
        this.server = server;
        this.timeoutNanos = timeout.toNanos();
        for (int i = 0; i < SOCKETS; i++) {
            lanes[i] = new PooledSocket(server, connect);
        }
    }

    /** Completed when it is returned, after the timeout at the latest, as {@link RedisConnection#evaluate} says. */
    public CompletableFuture<String> send(CommandArguments command) {
        PendingCommand mine = new PendingCommand(command, timeoutNanos);
        boolean carries = !PlatformThreads.needed();
        try {
            if (!carries || !carry(mine, mine.handedOverAt, timeoutNanos, false)) {
                StackReserve.require();
                waiting.add(mine);
                await(mine, carries);
            }
        } catch (RuntimeException | Error e) {
            mine.fail(mine.take() ? RedisFailures.unreachable(server, e) : RedisFailures.silent(server, e));
            wakeNext();
        }
        return mine.reply;
    }

    /** An interrupt is kept for later: a release that it would break off leaves the lock taken for the rest of its lease. */
    private void await(PendingCommand mine, boolean platform) {
        boolean interrupted = false;
        while (!mine.reply.isDone()) {
            long now = System.nanoTime();
            long left = mine.deadline - now;
            if (mine.over || left <= 0 || (closed && !mine.taken())) {
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
     * Has what waits carried, by this thread if that can't keep it beyond its own time. True if something was: then the sender's
     * command may be the next. Otherwise another thread has the command in hand, or will, and wakes the sender in the end.
     */
    private boolean served(boolean platform, long now, long left) {
        if (platform && left > timeoutNanos - timeoutNanos / PART_WAITED && carry(null, now, left, false)) {
            return true;
        }
        haveCarried();
        return false;
    }

    /** What nobody has sent by now never is. Of anything else the reply will be dropped when it comes. */
    private void leave(PendingCommand mine) {
        if (mine.take()) {
            waiting.remove(mine);
            mine.fail(closed ? notSent("closed") : mine.over ? notSent(BROKEN_OFF) : late());
            wakeNext();
        } else {
            mine.fail(RedisFailures.silent(
                    server, mine.over ? new SocketException(BROKEN_OFF) : new SocketTimeoutException("timed out")));
        }
    }

    /** A server that keeps a socket from being connected is not to be mistaken for a crowd of senders. */
    private RuntimeException late() {
        for (PooledSocket lane : lanes) {
            if (lane.connecting) {
                return RedisFailures.unreachable(server, new SocketTimeoutException("connecting timed out"));
            }
        }
        return RedisFailures.unreachable(server, new SocketTimeoutException("no socket became free in time"));
    }

    private void park(PendingCommand mine, long nanos) {
        if (!mine.reply.isDone() && !mine.over) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** If no socket is free, the thread that uses one wakes who waits when it is. */
    private void haveCarried() {
        for (PooledSocket lane : lanes) {
            if (lane.taken == 0) {
                try {
                    carriers.execute(this::carryForOthers);
                } catch (RejectedExecutionException e) {
                    // Closed, which the sender notices by itself.
                }
                return;
            }
        }
    }

    private void carryForOthers() {
        try {
            carry(null, System.nanoTime(), timeoutNanos, true);
        } catch (RuntimeException | Error e) {
            // Whoever it carried for sees that it is over.
        }
    }

    /**
     * Carries {@code first}, if there is one, and what waits. After any error the socket is free again, and every sender can see
     * that its command is not carried any more: both are plain writes, because a call may fail for want of heap or stack.
     *
     * @param now on {@link System#nanoTime}
     * @param nanos for how long to wait for replies
     * @param connects whether it may connect, which takes any time
     * @return false if nothing was carried: no socket is free, the free one is not connected and has to be, or nothing waits
     */
    private boolean carry(@Nullable PendingCommand first, long now, long nanos, boolean connects) {
        for (PooledSocket lane : lanes) {
            if (lane.take()) {
                CommandBatch batch = NOTHING;
                boolean carries = false;
                try {
                    int current = generation.get();
                    if (connects || closed || lane.connected(current, now)) {
                        batch = new CommandBatch();
                        batch.collect(first, waiting);
                        carries = batch.size > 0;
                        exchange(lane, batch, current, now, nanos);
                    }
                } finally {
                    if (lane.connecting) {
                        lane.connecting = false;
                    }
                    lane.taken = 0;
                    for (int i = 0; i < batch.size; i++) {
                        batch.parcels[i].over = true;
                    }
                    batch.forEach(PendingCommand::wakeSender);
                    wakeNext();
                    if (closed) {
                        close();
                    }
                }
                return carries;
            }
        }
        return false;
    }

    private void exchange(PooledSocket lane, CommandBatch batch, int current, long now, long nanos) {
        if (closed) {
            batch.fail(notSent("closed"));
        } else if (batch.size > 0
                && !lane.exchange(batch, current, now, nanos)
                && generation.compareAndSet(current, current + 1)) {
            onBreak.run();
        }
    }

    /** The next commands go to whatever the address leads to by then. */
    void replaceSockets() {
        generation.incrementAndGet();
        onBreak.run();
    }

    /** One of those who wait will find the socket that has become free, and carry for all of them. */
    private void wakeNext() {
        PendingCommand next = waiting.peek();
        while (next != null && next.taken()) {
            waiting.remove(next); // An error kept its sender from doing so.
            next = waiting.peek();
        }
        if (next != null) {
            next.wakeSender();
        }
    }

    private RuntimeException notSent(String why) {
        return RedisFailures.unreachable(server, new SocketException(why));
    }

    /** Ends the idle sockets now, and each other one when its replies are in. Idempotent. */
    public void close() {
        closed = true;
        for (PooledSocket lane : lanes) {
            if (lane.take()) {
                try {
                    lane.disconnect();
                } finally {
                    lane.taken = 0;
                }
            }
        }
        carriers.shutdown();
        waiting.forEach(PendingCommand::wakeSender);
    }
}
