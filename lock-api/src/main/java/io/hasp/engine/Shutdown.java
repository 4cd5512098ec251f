package io.hasp.engine;

import io.hasp.spi.LogQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Closes a client: fails those who wait, releases what is held, and waits until the server has answered all of it, also
 * what was under way before. An interrupt does not cut that short, since it would leave locks taken for the rest of their leases; it is kept.
 * Who closes at the same time waits for the same end.
 */
public final class Shutdown {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(5);
    /** After this time the tasks that a given executor has not begun run elsewhere: it may wait for this very close. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final LockEngine engine;
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    private final CountDownLatch done = new CountDownLatch(1);

    /** Of one client. */
    public Shutdown(LockEngine engine) {
        this.engine = engine;
    }

    /** Closes the client; see {@code LockClient.close()}. */
    public void run() {
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
        engine.beginClosing();
        long begun = System.nanoTime();
        boolean interrupted = waited(nanos -> engine.settled() || awaitChange(Math.min(nanos, PATIENCE)), PATIENCE);
        if (!engine.settled()) {
            ThreadPoolExecutor others = engine.threads().closing();
            interrupted |= waited(
                    nanos -> {
                        engine.threads().requests.runRest(others);
                        return engine.settled() || awaitChange(Math.min(nanos, PATIENCE));
                    },
                    LONGEST - (System.nanoTime() - begun));
        }
        if (!engine.settled()) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "not everything was released within 5 s of closing: the rest ends with its lease or session");
        }
        return interrupted;
    }

    /** Never the end by itself. */
    private boolean awaitChange(long nanos) throws InterruptedException {
        engine.awaitChange(nanos);
        return engine.settled();
    }

    private void end() {
        try {
            engine.end();
        } finally {
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
