package io.hasp.engine.threads;

import io.hasp.spi.ClientThreads;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one client, kept apart so that nothing a user blocks can hold up a renewal or a deadline: the timer decides
 * and never blocks; requests, which may block in the backend, renewals, interrupts, effects for others than the caller, users' futures,
 * and observers each run elsewhere.
 * Those that the client starts itself are daemons, named after it, and gone when idle.
 *
 * <p>A given executor serves for the requests of asynchronous calls, futures and observers. It may block, or run a task on the spot, so a
 * thread of its own hands tasks over, or a caller does after it has left the effect loop. Renewals, interrupts and requests that no caller
 * waits for run on the executor only if the clock is given as well: then the program decides every step, and effects are started where they
 * arise.
 */
public final class EngineThreads {
    /** Each request on them is bounded by a command timeout, so a bound only delays and can't deadlock. */
    private static final int MOST = 32;

    private static final int MOST_RENEWALS = 4;
    /** The longest wait for lines that the log has not written, when a client ends. */
    public static final Duration LOGGED_WITHIN = Duration.ofMillis(500);

    /** The pools of a test that decides when each task runs. */
    public interface Pools {
        /**
         * A pool of the client.
         *
         * @param most the largest number of tasks that run at a time
         */
        Executor pool(String purpose, int most);

        /** True if the calling thread runs the client's timers. */
        boolean onTimer();
    }

    private final List<ThreadPoolExecutor> own = new CopyOnWriteArrayList<>();
    private final String clientId;
    /** Ends the client after an error on one of its threads. */
    public final FailStop failStop;
    /** Null except in tests. */
    private final @Nullable Pools given;

    /** The clock and scheduler. */
    public final Timing timing;
    /** Sends the requests of asynchronous callers. The requests may block. */
    public final LosslessExecutor requests;
    /** Sends requests that no caller waits for, and requests of the backend. Runs no user code. */
    public final LosslessExecutor background;

    public final LosslessExecutor renewals;
    /** Starts effects for other callers than the current one. Runs no user code except listeners that never block. */
    public final LosslessExecutor effects;
    /** Interrupts threads that work under a lease that ended. Runs no user code. */
    public final LosslessExecutor interrupts;
    /** Completes users' futures. */
    public final LosslessExecutor callbacks;
    /** Notifies the observers of leases and the listener. */
    public final LosslessExecutor notices;

    /** The clock and scheduler of the system, also if others are given. */
    private final SystemTiming systemTiming;

    private final boolean workers;
    private final boolean ownPools;
    private volatile boolean marksUsers;
    private volatile Runnable whenStopped = () -> {};
    private volatile BiConsumer<String, Runnable> workStarter =
            (name, work) -> ClientThreads.daemon(work, name).start();

    /**
     * Threads for one client.
     *
     * @param givenTiming the clock and scheduler; empty means the system's
     * @param givenExecutor where tasks of callers run; empty means own threads
     */
    public EngineThreads(String clientId, Optional<Timing> givenTiming, Optional<Executor> givenExecutor) {
        this(clientId, system -> givenTiming.orElse(system), givenTiming.isPresent(), givenExecutor, null);
    }

    private EngineThreads(
            String clientId,
            UnaryOperator<Timing> timingOf,
            boolean timingGiven,
            Optional<Executor> givenExecutor,
            @Nullable Pools pools) {
        this.clientId = clientId;
        given = pools;
        failStop = new FailStop(clientId, timingGiven && givenExecutor.isPresent());
        systemTiming = new SystemTiming(clientId, failStop);
        timing = timingOf.apply(systemTiming);
        workers = pools != null || !timingGiven || givenExecutor.isEmpty();
        ownPools = givenExecutor.isEmpty();
        effects = workers ? own("effect", MOST) : lossless(Runnable::run);
        if (givenExecutor.isPresent() && !workers) {
            // A program that gives the clock as well decides every step.
            requests = lossless(givenExecutor.get());
            background = requests;
            callbacks = requests;
            notices = requests;
            renewals = requests;
            interrupts = requests;
        } else if (givenExecutor.isPresent()) {
            Executor users = givenExecutor.get();
            Executor between = pool("hand-over", MOST);
            marksUsers = true;
            requests = LosslessExecutor.given(users, timing, between, true);
            background = own("background", MOST);
            callbacks = requests;
            // Events and observers concern no caller.
            notices = LosslessExecutor.given(users, timing, between, false);
            renewals = own("renewal", MOST_RENEWALS);
            interrupts = own("interrupt", MOST);
        } else {
            requests = own("request", MOST);
            background = requests;
            callbacks = users("callback");
            notices = users("notice");
            renewals = own("renewal", MOST_RENEWALS);
            interrupts = own("interrupt", MOST);
        }
    }

    /**
     * Threads for one client of a program that may give a clock and scheduler.
     *
     * @param givenTiming makes the client's clock and scheduler; it is given the system's, to be used where those of the program fail
     * @param givenExecutor as in the constructor
     * @param pools take the place of the client's own pools in a test; null elsewhere
     */
    public static EngineThreads of(
            String clientId,
            Optional<UnaryOperator<Timing>> givenTiming,
            Optional<Executor> givenExecutor,
            @Nullable Pools pools) {
        return new EngineThreads(
                clientId, givenTiming.orElse(UnaryOperator.identity()), givenTiming.isPresent(), givenExecutor, pools);
    }

    /** From now on the threads of callers are marked, because something asks for that. */
    public void markUsers() {
        marksUsers = true;
    }

    /** The current thread begins a call of the API; false if there is nothing to {@linkplain #leaveUser end}. */
    public boolean enterUser() {
        return marksUsers && UserThread.enter();
    }

    /** The call ends. */
    public void leaveUser(boolean entered) {
        if (entered) {
            UserThread.leave();
        }
    }

    private LosslessExecutor lossless(Executor executor) {
        return new LosslessExecutor(executor, timing);
    }

    /** For tasks of the client's own. */
    private LosslessExecutor own(String purpose, int most) {
        return LosslessExecutor.own(pool(purpose, most), timing, failStop::fail, failStop::run);
    }

    /** For code of users: an error of that is theirs. */
    private LosslessExecutor users(String purpose) {
        return LosslessExecutor.own(pool(purpose, MOST), timing, failStop::fail, LosslessExecutor::contained);
    }

    private Executor pool(String purpose, int most) {
        return given == null ? ownPool(purpose, most) : given.pool(purpose, most);
    }

    private ThreadPoolExecutor ownPool(String purpose, int most) {
        ThreadFactory named = ClientThreads.named("hasp-" + purpose + "-" + clientId);
        ThreadPoolExecutor pool = IdleFirstQueue.pool(most, task -> {
            Thread thread = named.newThread(task);
            thread.setUncaughtExceptionHandler((died, broken) -> failStop.fail(broken));
            return thread;
        });
        own.add(pool);
        return pool;
    }

    /** True if the calling thread runs the client's timers. */
    public boolean onTimer() {
        return given == null ? systemTiming.onTimer() : given.onTimer();
    }

    /** True if effects can be left to a thread of the client's own. */
    public boolean workers() {
        return workers;
    }

    /** True if the current thread would itself call a given executor, which may block. */
    public boolean mayCallExecutor() {
        return workers && !ownPools && UserThread.mayCallExecutor();
    }

    /** True unless the program gave an executor. */
    public boolean ownPools() {
        return ownPools;
    }

    /** Threads beside a given executor, for closing the client on that executor's only thread. To be shut down. */
    public ThreadPoolExecutor closing() {
        return ownPool("closing", MOST);
    }

    /** Runs a short task at the end, before the log is drained; in place of an earlier one. */
    public void whenStopped(Runnable task) {
        whenStopped = task;
    }

    /** Starts work of the program that may last, on a thread of its own. */
    public void startWork(String name, Runnable work) {
        workStarter.accept(name, work);
    }

    /** From now on a test decides when such work begins. */
    public void startWorkBy(BiConsumer<String, Runnable> starter) {
        workStarter = starter;
    }

    /** Runs what the given executor has not begun, on another executor. */
    public void runRest(Executor other) {
        requests.runRest(other);
        if (notices != requests) {
            notices.runRest(other);
        }
    }

    /** No timer fires any more; what was handed over before still runs. */
    public void stop() {
        requests.end();
        background.end();
        callbacks.end();
        notices.end();
        interrupts.end();
        renewals.end();
        effects.end();
        systemTiming.close();
        own.forEach(ThreadPoolExecutor::shutdown);
        whenStopped.run();
        LogQueue.flush(LOGGED_WITHIN);
    }
}
