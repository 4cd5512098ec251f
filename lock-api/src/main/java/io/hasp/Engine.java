package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import io.hasp.spi.TokenFloor;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the parts of one client share: the backend, the clock, the threads and each other. Above the SPI everything is
 * written once and knows no backend.
 *
 * <p>The way of an acquisition: {@link DistributedLock} checks the arguments and makes a {@link Contender}; it queues in the
 * {@link LocalQueue} of its name; at the head it attempts, rests until a signal or a poll, and attempts again; a grant
 * becomes a {@link Lease}, which the {@link Watchdog} renews; whatever may be left on the server goes to the
 * {@link Withdrawals}.
 */
final class Engine {
    private static final System.Logger LOG = System.getLogger("io.hasp");
    private static final Timing.Timer NOTHING_TO_CANCEL = () -> {};

    final LockBackend backend;
    final EngineThreads threads;
    final ClientOptions options;
    final Watchdog watchdog;
    final Withdrawals withdrawals;
    final LocalQueues queues;
    final ThreadHolds threadHolds;
    final LockEvents events;
    final LeaseHandles handles;
    final UnansweredCalls calls;

    private final Timing timing;
    private final long origin;
    private final String clientId;
    private final AtomicLong holders = new AtomicLong();
    private volatile boolean closed;

    Engine(LockBackend backend, EngineThreads threads, String clientId, ClientOptions options) {
        this.threads = threads;
        this.timing = threads.timing;
        this.clientId = clientId;
        this.options = options;
        this.origin = timing.nanoTime();
        this.events = new LockEvents(options.listeners(), threads.notices);
        this.backend = new WatchedBackend(new ContractGuard(backend), new Outages(events, this::now));
        this.calls = new UnansweredCalls();
        this.handles = new LeaseHandles(events);
        this.threadHolds = new ThreadHolds(events);
        this.watchdog = new Watchdog(this);
        this.withdrawals = new Withdrawals(this);
        this.queues = new LocalQueues(this);
    }

    /** Nanoseconds since the client was made: plain comparison is safe, unlike with {@link System#nanoTime}. */
    long now() {
        return timing.nanoTime() - origin;
    }

    /** Runs a short task, which never calls the backend or the user, on the timer's thread after a delay in nanoseconds. */
    Timing.Timer schedule(long delay, Runnable task) {
        try {
            return timing.schedule(Duration.ofNanos(Math.max(0, delay)), () -> LosslessExecutor.contained(task));
        } catch (RejectedExecutionException e) {
            return NOTHING_TO_CANCEL;
        }
    }

    /** Runs a task where the backend may block. */
    void execute(Runnable task) {
        threads.requests.execute(task);
    }

    /** Runs a task where the backend may block, after a delay in nanoseconds. */
    Timing.Timer after(long delay, Runnable task) {
        return schedule(delay, () -> execute(task));
    }

    /** Where the backend may block. */
    Executor requests() {
        return threads.requests;
    }

    HolderId newHolder() {
        return new HolderId(clientId + "-" + Long.toString(holders.incrementAndGet(), 36));
    }

    boolean closed() {
        return closed;
    }

    void close() {
        closed = true;
    }

    ClientClosedException closedException() {
        return new ClientClosedException("the lock client was closed");
    }

    void raiseTokenFloor(LockName name, long token) {
        if (token < 0 || !Tenure.canCarry(Tenure.serverFloor(token) + 1)) {
            throw new InvalidArgumentException("the token floor is " + token
                    + ": it must be zero or more, and small enough that a larger token can follow");
        }
        if (closed()) {
            throw closedException();
        }
        TokenFloor floor = backend.tokenFloor()
                .orElseThrow(() -> new UnsupportedCapabilityException(
                        "this backend can't raise the token floor of lock '" + name + "'"));
        long serverFloor = Tenure.serverFloor(token);
        LocalQueue queue = queues.enter(name);
        try {
            queue.raiseTokenFloor(serverFloor);
            calls.join(floor.raise(name, serverFloor));
        } catch (CompletionException e) {
            if (e.getCause() instanceof ClientClosedException closing) {
                throw closing;
            }
            BackendFailure failure = failureOf(e);
            throw new BackendUnavailableException(
                    "could not raise the token floor of lock '" + name + "' to " + LockEvents.token(token) + ": "
                            + failure.getMessage(),
                    failure);
        } finally {
            queues.leave(queue);
        }
    }

    /** What a stage failed with, without the wrapping of the stages behind it. */
    static Throwable causeOf(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /** What a failed stage failed with; anything but the contract's exception is the backend's bug and unknown. */
    static BackendFailure failureOf(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        if (cause instanceof BackendFailure failure) {
            return failure;
        }
        LOG.log(System.Logger.Level.WARNING, "the backend broke its contract: failed with something else", cause);
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "the backend failed: " + cause, cause);
    }
}
