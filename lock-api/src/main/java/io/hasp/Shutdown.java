package io.hasp;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Closes a client: fails those who wait, releases what is held, and waits until the server has answered all of it, whoever
 * began it. An interrupt does not cut that short, since it would leave locks taken for the rest of their leases; it is kept.
 * Who closes at the same time waits for the same end.
 */
final class Shutdown {
    private static final System.Logger LOG = System.getLogger("io.hasp");
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);
    /** After this time the tasks that a given executor has not begun run elsewhere: it may wait for this very close. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final Engine engine;
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    private final CountDownLatch done = new CountDownLatch(1);

    Shutdown(Engine engine) {
        this.engine = engine;
    }

    void run() {
        // Some client libraries, too, would cut their end short.
        boolean interrupted = Thread.interrupted();
        try {
            if (closer.compareAndSet(null, Thread.currentThread())) {
                try {
                    interrupted |= gaveEverythingBack();
                } finally {
                    end();
                }
            } else if (closer.get() != Thread.currentThread()) {
                interrupted |= waited(nanos -> done.await(nanos, TimeUnit.NANOSECONDS), LONGEST);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Tells whether it was interrupted meanwhile. */
    private boolean gaveEverythingBack() {
        engine.close();
        engine.queues.forEach(queue -> queue.contenders().forEach(c -> c.abandon(engine.closedException())));
        for (Tenure lease : engine.watchdog.leases()) {
            new Lease(engine, lease).releaseAsync();
        }
        long begun = System.nanoTime();
        boolean interrupted = waited(nanos -> settled() || awaitChange(Math.min(nanos, PATIENCE)), PATIENCE);
        if (!settled()) {
            ThreadPoolExecutor others = engine.threads.closing();
            interrupted |= waited(
                    nanos -> {
                        engine.threads.requests.runRest(others);
                        return settled() || awaitChange(Math.min(nanos, PATIENCE));
                    },
                    LONGEST - (System.nanoTime() - begun));
        }
        if (!settled()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "not everything was released within 5 s of closing: the rest ends with its lease or session");
        }
        return interrupted;
    }

    private boolean settled() {
        return engine.queues.isEmpty() && engine.withdrawals.settled();
    }

    /** Never the end by itself. */
    private boolean awaitChange(long nanos) throws InterruptedException {
        engine.queues.awaitChange(nanos);
        return settled();
    }

    private void end() {
        try {
            engine.withdrawals.end();
            engine.backend.close();
        } finally {
            engine.calls.end();
            engine.threads.stop();
            done.countDown();
        }
    }

    /** One look at whether something has come to its end, waiting at most for a time in nanoseconds. */
    private interface Look {
        boolean ended(long nanos) throws InterruptedException;
    }

    /** Looks again and again until the end or the time is over; tells whether it was interrupted meanwhile. */
    private static boolean waited(Look look, long longest) {
        long begun = System.nanoTime();
        boolean interrupted = false;
        for (long left = longest; left > 0; left = longest - (System.nanoTime() - begun)) {
            try {
                if (look.ended(left)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }
}
