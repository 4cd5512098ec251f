package io.hasp.engine.threads;

import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An executor that loses no task. A task that is dropped would be a future that never completes or a queue that never moves:
 * if an executor of the program refuses, or can't start a thread, the task is tried again. If a pool of the client's own can't start a
 * thread, that ends the client, and the ending runs the task. What code of users throws is logged.
 *
 * <p>While the client closes, the executor may be one whose only thread waits for that: {@link #runRest} runs the tasks that
 * it has not begun. Thread-safe.
 */
public final class LosslessExecutor implements Executor {
    private static final Duration UNTIL_NEXT_TRY = Duration.ofMillis(20);

    private final Executor executor;
    private final Timing timing;
    /** Calls the executor of the program; null for an executor of the client's own. */
    private final @Nullable Executor between;
    /** True if a thread that runs code of the program anyway calls the executor itself. */
    private final boolean fromUserThreads;
    /** Receives what a pool threw that has no thread for a task, and the task; null for an executor of the program. */
    private final @Nullable BiConsumer<Throwable, Runnable> withoutThread;

    private final Consumer<Runnable> runner;

    private final Set<Task> notBegun = ConcurrentHashMap.newKeySet();
    /** Those of them that were refused and wait for their next try. */
    private final Set<Task> refused = ConcurrentHashMap.newKeySet();

    private volatile boolean ended;

    LosslessExecutor(Executor executor, Timing timing) {
        this(executor, timing, null, true, null, LosslessExecutor::contained);
    }

    private LosslessExecutor(
            Executor executor,
            Timing timing,
            @Nullable Executor between,
            boolean fromUserThreads,
            @Nullable BiConsumer<Throwable, Runnable> withoutThread,
            Consumer<Runnable> runner) {
        this.executor = executor;
        this.timing = timing;
        this.between = between;
        this.fromUserThreads = fromUserThreads;
        this.withoutThread = withoutThread;
        this.runner = runner;
    }

    /** Over a pool of the client's own; {@code runner} runs its tasks. */
    static LosslessExecutor own(
            Executor pool, Timing timing, BiConsumer<Throwable, Runnable> withoutThread, Consumer<Runnable> runner) {
        return new LosslessExecutor(pool, timing, null, true, withoutThread, runner);
    }

    /** Over an executor of the program's, which may block, or run tasks on the spot. */
    static LosslessExecutor given(Executor executor, Timing timing, Executor between, boolean fromUserThreads) {
        return new LosslessExecutor(executor, timing, between, fromUserThreads, null, LosslessExecutor::contained);
    }

    @Override
    public void execute(Runnable work) {
        submit(added(work), fromUserThreads && UserThread.mayCallExecutor());
    }

    /** Runs work that must not hold up the current thread: that thread never calls an executor of the program itself. */
    public void executeElsewhere(Runnable work) {
        submit(added(work), false);
    }

    private Task added(Runnable work) {
        Task task = new Task(work);
        notBegun.add(task);
        return task;
    }

    private void submit(Task task, boolean here) {
        try {
            if (between == null) {
                executor.execute(task);
            } else if (here) {
                submitHere(task);
            } else {
                between.execute(() -> UserThread.run(() -> submitHere(task)));
            }
        } catch (Throwable refusal) {
            if (withoutThread != null && refusal instanceof Error) {
                withoutThread.accept(refusal, task);
            } else {
                tryLater(task);
            }
        }
    }

    private void submitHere(Task task) {
        try {
            UserThread.callExecutor(() -> executor.execute(() -> UserThread.run(task)));
        } catch (Throwable refusal) {
            tryLater(task);
        }
    }

    private void tryLater(Task task) {
        // An executor may have taken the task before it threw.
        if (!task.isRefused()) {
            return;
        }
        try {
            if (!ended) {
                timing.schedule(UNTIL_NEXT_TRY, () -> submit(task, false));
                return;
            }
        } catch (Throwable noTimer) {
            LogQueue.log(
                    System.Logger.Level.WARNING,
                    "no thread and no timer for a task: it runs where it was handed over",
                    noTimer);
        }
        task.run();
    }

    /** Runs what has not begun, on another executor. */
    void runRest(Executor other) {
        notBegun.forEach(other::execute);
    }

    /** From now on a task that is refused runs on the thread that hands it over; those that were refused before run now. */
    void end() {
        ended = true;
        refused.forEach(Task::run);
    }

    private final class Task implements Runnable {
        private final Runnable work;
        private final AtomicBoolean begun = new AtomicBoolean();

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (begin()) {
                runner.accept(work);
            }
        }

        /** Adds it to those that are refused, unless it has begun. */
        boolean isRefused() {
            refused.add(this);
            boolean waits = !begun.get();
            if (!waits) {
                refused.remove(this);
            }
            return waits;
        }

        /** True once: the caller runs the task. False if it has begun. */
        boolean begin() {
            boolean first = begun.compareAndSet(false, true);
            if (first) {
                notBegun.remove(this);
                refused.remove(this);
            }
            return first;
        }
    }

    /** Runs a task, and logs what it throws. */
    public static void contained(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            log(e);
        }
    }

    public static void log(Throwable thrown) {
        LogQueue.log(System.Logger.Level.ERROR, "a task of the lock client failed", thrown);
    }
}
