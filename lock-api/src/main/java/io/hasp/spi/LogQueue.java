package io.hasp.spi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log lines of all clients of a process on one thread, where nothing else runs. A logger that blocks or throws delays no
 * renewal and changes no result: {@link #log} returns at once and never throws. Thread-safe.
 *
 * <p>At most {@value #MOST} lines wait. Further ones are dropped, and a line reports their number when the logger takes lines again.
 */
public final class LogQueue {
    private static final int MOST = 1_000;
    private static final LogQueue OF_PROCESS = new LogQueue();

    /** Looks up the logger with the first line, on the thread of this queue. */
    private static final class Target {
        private static final System.Logger LOGGER = System.getLogger("io.hasp");

        private Target() {}
    }

    /** Receives each line on the thread that logs it. */
    @FunctionalInterface
    public interface Observer {
        /**
         * A line is logged.
         *
         * @param level its level
         * @param line its text
         * @param thrown null if there is none
         */
        void logged(Level level, String line, @Nullable Throwable thrown);
    }

    private static volatile Observer observer = (level, line, thrown) -> {};

    private final AtomicInteger dropped = new AtomicInteger();
    /** The number of lines that wait or are being written. */
    private int pending;

    private volatile @Nullable Thread writer;
    private final ThreadPoolExecutor thread;

    private LogQueue() {
        thread = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST), ClientThreads.named("hasp-log"));
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Logs a line without a stack trace.
     *
     * @param level its level
     * @param line its text
     */
    public static void log(Level level, String line) {
        log(level, line, null);
    }

    /**
     * Logs a line.
     *
     * @param level its level
     * @param line its text
     * @param thrown logged with its stack trace; null if there is none
     */
    public static void log(Level level, String line, @Nullable Throwable thrown) {
        OF_PROCESS.add(level, line, thrown);
    }

    /**
     * Waits until all lines are written, or the time is over. An interrupt is kept for later. Returns at once on the thread of the queue.
     *
     * @param atMost the longest wait
     */
    public static void flush(Duration atMost) {
        OF_PROCESS.awaitWritten(atMost.toNanos());
    }

    /**
     * Calls an observer from now on, on the thread that logs; for tests.
     *
     * @param next replaces the present one
     */
    public static void observe(Observer next) {
        observer = next;
    }

    private void add(Level level, String line, @Nullable Throwable thrown) {
        boolean counted = false;
        try {
            StackReserve.require();
            observer.logged(level, line, thrown);
            count(1);
            counted = true;
            thread.execute(() -> write(level, line, thrown));
        } catch (Throwable full) {
            // Or no memory, stack or thread.
            dropped.incrementAndGet();
            if (counted) {
                count(-1);
            }
        }
    }

    private void write(Level level, String line, @Nullable Throwable thrown) {
        writer = Thread.currentThread();
        try {
            int lost = dropped.getAndSet(0);
            if (lost > 0) {
                Target.LOGGER.log(
                        Level.WARNING,
                        lost + " lines of the lock clients were dropped, because the logger was too slow");
            }
            Target.LOGGER.log(level, line, thrown);
        } catch (Throwable broken) {
            // A logger that fails has no place where that could be logged.
        } finally {
            writer = null;
            count(-1);
        }
    }

    private synchronized void count(int more) {
        pending += more;
        if (pending == 0) {
            notifyAll();
        }
    }

    private synchronized void awaitWritten(long atMost) {
        boolean interrupted = false;
        long begun = System.nanoTime();
        for (long left = atMost; pending > 0 && left > 0; left = atMost - (System.nanoTime() - begun)) {
            if (writer == Thread.currentThread()) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
