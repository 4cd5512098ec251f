package io.hasp.engine.driver;

import io.hasp.engine.guard.GuardedBackend;
import io.hasp.engine.guard.OtherKindRetry;
import io.hasp.engine.guard.Outages;
import io.hasp.engine.machine.Notice;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.FailStop;
import io.hasp.engine.threads.Failures;
import io.hasp.engine.threads.PoolExecutor;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockBackend;
import io.hasp.spi.StackReserve;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The services that the drivers of one client share: backend, clock, threads and listeners. */
public final class SharedServices {
    private static final Timing.Timer NOTHING_TO_CANCEL = () -> {};

    public final LockBackend backend;
    public final EngineThreads threads;
    final Consumer<Notice> notices;
    /** The results that users wait for. */
    public final UnansweredCalls calls = new UnansweredCalls();
    /** Sends the requests of callers that don't block. */
    public final RequestExecutor pool;
    /** Ends the client after an error. */
    public final FailStop failStop;

    private final Timing timing;
    private final long origin;

    public SharedServices(
            LockBackend backend, @Nullable OtherKindRetry otherKinds, EngineThreads threads, Consumer<Notice> notices) {
        this.threads = threads;
        this.failStop = threads.failStop;
        this.notices = notices;
        this.pool = new PoolExecutor(threads.requests);
        this.timing = threads.timing;
        this.origin = timing.nanoTime();
        this.backend = new GuardedBackend(backend, new Outages(notices, this::now), otherKinds);
    }

    /** Reports an event that no machine knows of. */
    public void report(Notice notice) {
        notices.accept(notice);
    }

    /** Nanoseconds since the client was made: plain comparison is safe, unlike with {@link System#nanoTime}. */
    public long now() {
        return timing.nanoTime() - origin;
    }

    /** Nanoseconds by which the wall clock is ahead of the monotonic clock. */
    public long clockDifference() {
        // The wall clock first: a suspension between the two looks like one before both.
        return timing.wallClockNanos() - timing.nanoTime();
    }

    /** The reason of leases that are lost after an error. */
    public String whyFailed() {
        return "the lock client failed: " + failStop.cause();
    }

    /** The failure of a request; an {@link Error} behind it ends the client. */
    public BackendFailure failureOf(Throwable thrown) {
        Error error = Failures.errorIn(thrown);
        if (error != null) {
            failStop.fail(error);
        }
        return Failures.of(thrown);
    }

    /** Runs a short task, which never calls the backend or the user, on the timer's thread; the delay in nanoseconds. */
    public Timing.Timer schedule(long delay, Runnable task) {
        try {
            return timing.schedule(Duration.ofNanos(Math.max(0, delay)), () -> guarded(task));
        } catch (RejectedExecutionException e) {
            return NOTHING_TO_CANCEL;
        }
    }

    /** Runs a task that must not be lost: on another thread if too little stack is left here. */
    public void enteringOrElsewhere(Runnable task) {
        try {
            StackReserve.require();
        } catch (StackOverflowError tooLittle) {
            threads.background.execute(() -> guarded(task));
            return;
        }
        guarded(task);
    }

    /** Runs a task of the engine's own, whose error ends the client. */
    public void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            failStop.fail(broken);
        }
    }
}
