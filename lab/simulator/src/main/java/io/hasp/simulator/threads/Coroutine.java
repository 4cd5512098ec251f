package io.hasp.simulator.threads;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task that may suspend itself in the midst. It has a real thread, so that the engine sees another current thread, but one thread
 * of a run runs at a time: the scheduler's, or that of the coroutine which the scheduler resumed.
 */
public final class Coroutine {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final ThreadLocal<@Nullable Coroutine> CURRENT = new ThreadLocal<>();
    /** The idle threads of each scheduler. */
    private static final ThreadLocal<ArrayDeque<Carrier>> IDLE = ThreadLocal.withInitial(ArrayDeque::new);

    /** A step takes microseconds. */
    private static final int LONGEST_STEP_SECONDS = 10;

    /** Unwinds a coroutine at the end of its run. */
    private static final class Cancelled extends Error {
        private static final long serialVersionUID = 1;

        Cancelled() {
            super("the run is over", null, false, false);
        }
    }

    public final ThreadRole role;
    final SimulatedProcess client;
    /** The caller or the pool whose thread it is; null for others. */
    final @Nullable Object owner;
    /** A suspended coroutine goes on then. */
    long wakesAt;
    /** It does not go on before that step of the run. */
    long runsAtStep;
    /** The step of the run in which it began. */
    final long begunAtStep;
    /** The number of calls that it has woken and that began after it. */
    int woken;

    private final SimulatedThreads threads;
    private final Runnable body;
    private @Nullable Carrier carrier;
    private @Nullable Throwable thrown;
    private EngineLogHandler.@Nullable LoggedError logged;
    private boolean done;
    private boolean cancelled;

    Coroutine(
            SimulatedThreads threads, SimulatedProcess client, ThreadRole role, @Nullable Object owner, Runnable body) {
        this.threads = threads;
        this.begunAtStep = threads.world.steps();
        this.client = client;
        this.role = role;
        this.owner = owner;
        this.body = body;
    }

    /** The processor time of the threads that the calling scheduler has used; none of them runs now. */
    public static long cpuNanos() {
        long sum = 0;
        for (Carrier carrier : IDLE.get()) {
            sum += Math.max(0, THREADS.getThreadCpuTime(carrier.thread.getId()));
        }
        return sum;
    }

    /** The coroutine of the calling thread; null on a scheduler's thread and on threads of other kinds. */
    public static @Nullable Coroutine current() {
        return CURRENT.get();
    }

    boolean done() {
        return done;
    }

    /** True if it has a thread of its own, and its run goes on. */
    boolean maySuspend() {
        return carrier != null && !cancelled;
    }

    /** Runs at a stretch on the scheduler's thread. */
    void runHere() {
        CURRENT.set(this);
        try {
            body.run();
        } finally {
            CURRENT.remove();
            done = true;
        }
    }

    /** Goes on until it suspends itself or is done. Throws what it has thrown. */
    void resume() {
        Carrier mine = carrier;
        if (mine == null) {
            mine = IDLE.get().poll();
            mine = mine == null ? new Carrier() : mine;
            carrier = mine;
        }
        mine.task = this;
        mine.go.release();
        await(mine);
        EngineLogHandler.logged(logged);
        logged = null;
        if (done) {
            IDLE.get().push(mine);
            Throwable failure = thrown;
            if (failure instanceof Error error) {
                throw error;
            } else if (failure instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }

    private void await(Carrier mine) {
        for (int seconds = 0; ; seconds++) {
            try {
                if (mine.back.tryAcquire(1, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("a scheduler is interrupted", e);
            }
            boolean runs = mine.thread.getState() == Thread.State.RUNNABLE;
            if (seconds >= (runs ? LONGEST_STEP_SECONDS : 2)) {
                StackTraceElement[] stack = mine.thread.getStackTrace();
                // The thread is abandoned.
                done = true;
                throw threads.world.violated(
                        "no step blocks for ever",
                        "a thread of the kind " + role + (runs ? " does not end" : " waits for a suspended one") + ": "
                                + List.of(stack));
            }
        }
    }

    /** Suspends the coroutine of the calling thread, which is this one. */
    void suspend(long nanos) {
        wakesAt = threads.world.now() + nanos;
        boolean mustNotBlock = threads.exchangeMustNotBlock(false);
        Carrier mine = Objects.requireNonNull(carrier);
        logged = EngineLogHandler.take();
        mine.back.release();
        mine.go.acquireUninterruptibly();
        threads.exchangeMustNotBlock(mustNotBlock);
        if (cancelled) {
            throw new Cancelled();
        }
    }

    /** A handler of the log is called on this coroutine's thread. */
    void logs() {
        if (!cancelled) {
            threads.logs();
        }
    }

    /** Ends a suspended coroutine. */
    void cancel() {
        cancelled = true;
        while (!done) {
            try {
                resume();
            } catch (RuntimeException | Error unwound) {
                // The run has its outcome.
            }
        }
        EngineLogHandler.listen();
    }

    private void runBody() {
        CURRENT.set(this);
        try {
            body.run();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            CURRENT.remove();
            logged = EngineLogHandler.take();
            done = true;
        }
    }

    /** A thread that runs one coroutine at a time. */
    private static final class Carrier implements Runnable {
        final Semaphore go = new Semaphore(0);
        final Semaphore back = new Semaphore(0);
        final Thread thread = new Thread(null, this, "hasp-simulated", 0, false);

        @Nullable
        Coroutine task;

        Carrier() {
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void run() {
            while (true) {
                try {
                    go.acquire();
                } catch (InterruptedException e) {
                    return;
                }
                Coroutine next = task;
                task = null;
                if (next != null) {
                    next.runBody();
                }
                back.release();
            }
        }
    }
}
