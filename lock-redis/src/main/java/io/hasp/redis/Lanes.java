package io.hasp.redis;

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
 * <p>Virtual threads put theirs in the queue, too, and platform threads carry for them ({@link PlatformThreads}).
 *
 * <p>After Hendler, Incze, Shavit and Tzafrir, <em>Flat Combining and the Synchronization-Parallelism Tradeoff</em> (SPAA
 * 2010). Thread-safe; blocks the caller.
 */
final class Lanes {
    /** More threads that carry than processors only keep the server waiting. */
    static final int SOCKETS = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

    private static final Batch NOTHING = new Batch();

    private final String server;
    private final long timeoutNanos;
    private final Lane[] lanes = new Lane[SOCKETS];
    private final Queue<Parcel> waiting = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor carriers = PlatformThreads.atMost(SOCKETS);
    /** Rises when a socket breaks: what cut it has probably cut the others, too. */
    private final AtomicInteger generation = new AtomicInteger();

    private final Runnable onBreak;
    private volatile boolean closed;

    Lanes(String server, Duration timeout, Supplier<LaneConnection> connect, Runnable onBreak) {
        this.onBreak = onBreak;
        this.server = server;
        this.timeoutNanos = timeout.toNanos();
        for (int i = 0; i < SOCKETS; i++) {
            lanes[i] = new Lane(server, connect);
        }
    }

    /** Completed when it is returned, as {@link RedisConnection#evaluate} says. */
    CompletableFuture<String> send(CommandArguments command) {
        Parcel mine = new Parcel(command);
        boolean carries = !PlatformThreads.needed();
        try {
            if (!carries || !carry(mine)) {
                waiting.add(mine);
                await(mine, carries);
            }
        } catch (RuntimeException | Error e) {
            mine.take();
            mine.fail(Failures.silent(server, e));
        }
        return mine.reply;
    }

    /** An interrupt is kept for later: a release that it would break off leaves the lock taken for the rest of its lease. */
    private void await(Parcel mine, boolean carries) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (!mine.reply.isDone()) {
            if (mine.over) {
                mine.fail(Failures.silent(server, new IllegalStateException("broken off")));
            } else if (!carries || !carry(null)) {
                long left = timeoutNanos - (System.nanoTime() - start);
                if (left <= 0 || closed) {
                    withdraw(mine);
                }
                if (!carries) {
                    haveCarried();
                }
                park(mine, left > 0 ? left : timeoutNanos);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Once taken it is answered soon, because the socket has the timeout. */
    private void withdraw(Parcel mine) {
        if (mine.take()) {
            waiting.remove(mine);
            mine.fail(notSent(closed ? "closed" : "no socket became free in time"));
            wakeNext();
        }
    }

    private void park(Parcel mine, long nanos) {
        if (!mine.reply.isDone() && !mine.over) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    /** If no socket is free, the thread that uses one wakes who waits when it is. */
    private void haveCarried() {
        for (Lane lane : lanes) {
            if (lane.taken == 0) {
                try {
                    carriers.execute(() -> carry(null));
                } catch (RejectedExecutionException e) {
                    // Closed, which the sender notices by itself.
                }
                return;
            }
        }
    }

    /**
     * Carries {@code first}, if there is one, and what waits. After any error the socket is free again, and every sender can see
     * that its command is not carried any more: both are plain writes, because a call may fail for want of heap or stack.
     *
     * @return false if no socket is free
     */
    private boolean carry(@Nullable Parcel first) {
        for (Lane lane : lanes) {
            if (lane.take()) {
                Batch batch = NOTHING;
                try {
                    batch = new Batch();
                    batch.collect(first, waiting);
                    exchange(lane, batch);
                } finally {
                    lane.taken = 0;
                    for (int i = 0; i < batch.size; i++) {
                        batch.parcels[i].over = true;
                    }
                    batch.forEach(Parcel::wakeSender);
                    wakeNext();
                    if (closed) {
                        close();
                    }
                }
                return true;
            }
        }
        return false;
    }

    private void exchange(Lane lane, Batch batch) {
        if (closed) {
            batch.fail(notSent("closed"));
        } else if (batch.size > 0) {
            int current = generation.get();
            if (!lane.exchange(batch, current) && generation.compareAndSet(current, current + 1)) {
                onBreak.run();
            }
        }
    }

    /** The next commands go to whatever the address leads to by then. */
    void replaceSockets() {
        generation.incrementAndGet();
        onBreak.run();
    }

    /** One of those who wait will find the socket that has become free, and carry for all of them. */
    private void wakeNext() {
        Parcel next = waiting.peek();
        if (next != null) {
            next.wakeSender();
        }
    }

    private RuntimeException notSent(String why) {
        return Failures.unreachable(server, new IllegalStateException(why));
    }

    /** Ends the idle sockets now, and each other one when its replies are in. Idempotent. */
    void close() {
        closed = true;
        for (Lane lane : lanes) {
            if (lane.take()) {
                try {
                    lane.disconnect();
                } finally {
                    lane.taken = 0;
                }
            }
        }
        carriers.shutdown();
        waiting.forEach(Parcel::wakeSender);
    }
}
