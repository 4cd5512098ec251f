package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.lease.LeaseLife;
import io.hasp.engine.lease.LeaseObservers;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.Failures;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hold on a lock by this client. Belongs to no thread: any thread may use or release it. Thread-safe.
 *
 * <p>A lease is a claim, not a proof. It ends locally ({@link LeaseState#LOST}) before any other client can get the lock from a
 * well-behaved server, whatever the network does. But a process may be paused between its look at {@link #state()} and the write that the
 * lock protects, and the clock behind the deadline may stop while a virtual machine is suspended. Then only the token protects: send
 * {@link #fencingToken()} with every write.
 *
 * <p>Methods that need a held lease throw {@link LeaseLostException} if it was lost, or given back by {@link LockClient#closeNow}, and
 * {@link LeaseReleasedException} if its holder released it before.
 *
 * <p>After Gray and Cheriton, <em>Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency</em> (SOSP 1989);
 * fencing tokens after Burrows, <em>The Chubby Lock Service</em> (OSDI 2006), "sequencers".
 */
public final class Lease implements AutoCloseable {
    private final ClientContext client;
    private final LeaseControl control;
    /** Null after the release, or without a recording. */
    private FlightRecording.@Nullable HoldSpan hold = FlightRecording.hold();

    /** Null if work under this lease goes on after a loss. */
    private final @Nullable LossTasks whenCutShort;

    /** Replaced this lease when its holder kept a part of its share. */
    private volatile @Nullable Lease lowered;

    /** True once the holder has released this lease, so that a loss is thrown once. */
    private volatile boolean closed;

    Lease(ClientContext client, LeaseControl control, OnLoss onLoss) {
        this(client, control, onLoss == OnLoss.INTERRUPT ? new LossTasks() : null);
    }

    /** A lease whose work is stopped by these tasks, which leases of other locks may share; null if work goes on after a loss. */
    Lease(ClientContext client, LeaseControl control, @Nullable LossTasks whenCutShort) {
        this.client = client;
        this.control = control;
        this.whenCutShort = whenCutShort;
    }

    /**
     * Returns the name of the lock.
     *
     * @return the lock's name
     */
    public String name() {
        return control.lockName().value();
    }

    /**
     * Returns a number that grows with every later grant of the same lock name, to this client or another. Store it beside the protected
     * data, and refuse writes (and reads that lead to writes) with a smaller one.
     *
     * <p>The token is the server's number × 256, plus the number of hand-offs within this client since then.
     * {@link DistributedReadWriteLock#downgrade} adds one. {@link #toString} shows both numbers.
     *
     * <p>Readers of a {@link DistributedReadWriteLock} work at the same time, so a store must not refuse a reader because another reader
     * had a larger token. The store accepts a read above the largest token of a <em>write</em>, and a write that is not below the largest
     * token of all. Readers of one client may have the same token.
     *
     * <p>Tokens of permits only identify: no two leases have the same token, and of two leases that can't be held together the later one
     * has the larger.
     *
     * @return a positive number, the same for the whole life of this lease
     */
    public long fencingToken() {
        return control.lease().token();
    }

    /**
     * Returns the number of permits of a {@link DistributedSemaphore} that this lease has.
     *
     * @return the same for the whole life of this lease; 1 for every other lock
     */
    public int permits() {
        Share share = control.lease().terms.share();
        return share.capacity() == Share.READ_WRITE ? 1 : share.weight();
    }

    /**
     * Returns the state of this lease, as far as this client knows. No I/O.
     *
     * @return never HELD or SUSPECT after the local deadline, whatever replies are still on their way
     */
    public LeaseState state() {
        return stateOf(control.life().state());
    }

    /**
     * Returns the time until the local deadline, if no further confirmation comes. No I/O.
     *
     * @return a lower bound; zero if the lease has ended
     */
    public Duration remaining() {
        LeaseLife life = control.life();
        return life.ended() ? Duration.ZERO : Duration.ofNanos(Math.max(0, life.deadline() - control.now()));
    }

    /**
     * Throws unless the lease is HELD or SUSPECT. No I/O. Not guaranteed: anything after the return.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws LeaseReleasedException if its holder released it before
     */
    public void ensureHeld() {
        LeaseState now = state();
        LeaseLostException loss = lossOfOwn();
        if (loss != null) {
            throw loss;
        }
        if (now == LeaseState.RELEASED) {
            throw releasedBefore();
        }
    }

    /**
     * Notifies a listener of every later change of state, in the order of the changes, and at once if the lease has ended already.
     *
     * @param executor runs the listener, which may block there. If it rejects the task, the client logs that, and the listener misses this
     *     change
     * @param listener receives the new state, also when SUSPECT changes back to HELD
     * @return ends the notifications
     * @throws InvalidArgumentException if an argument is null
     */
    public Registration onChange(Executor executor, Consumer<LeaseState> listener) {
        required("the listener", listener);
        AtomicBoolean registered = new AtomicBoolean(true);
        control.observe(LeaseObservers.on(required("the executor", executor), state -> {
            if (registered.get()) {
                listener.accept(stateOf(state));
            }
        }));
        return () -> registered.set(false);
    }

    /**
     * Extends a fixed lease on the server, and waits for the answer.
     *
     * @param lease the least time from now, 10 ms to 365 days; less than {@link #remaining} changes nothing
     * @throws InvalidArgumentException if out of that range or beyond the end of max hold, or if this lease is renewed automatically
     * @throws LeaseLostException if the lease was lost, before or during the call
     * @throws LeaseReleasedException if it was released, before or during the call
     * @throws BackendException if the server did not confirm: the lease keeps at least its present end
     */
    public void extend(Duration lease) {
        requireExtensible(lease);
        awaitExtension(control.beginExtension(lease));
        ensureHeld();
    }

    /** Throws if this lease can't be extended by that time. */
    void requireExtensible(Duration lease) {
        Durations.lease("lease", lease);
        if (control.lease().terms.renewed()) {
            throw InvalidArgumentException.ofLock(
                    name(), "the lease of lock '" + name() + "' is renewed automatically: cap it with maxHold");
        }
        ensureHeld();
        control.lease()
                .holdLeft(control.now())
                .filter(left -> left.compareTo(lease) < 0)
                .ifPresent(left -> {
                    throw InvalidArgumentException.ofLock(
                            name(), "lease is " + lease + ": max hold leaves lock '" + name() + "' " + left);
                });
    }

    /** Waits for the answer to an extension, and throws if the server did not confirm it. */
    void awaitExtension(CompletionStage<Renewal> answer) {
        try {
            if (control.await(answer) instanceof Renewal.Unknown unknown) {
                throw ClientContext.failed(
                        "could not confirm the extension of lock '" + name() + "'", unknown.why(), control.lockName());
            }
        } catch (CompletionException e) {
            throw translated("extension", e);
        }
    }

    /**
     * Runs work under this lease, without releasing it. With {@link OnLoss#INTERRUPT} of the lock or the client, a loss during the work
     * interrupts the calling thread, and never after this method has returned. Calls may be nested.
     *
     * @param work the work
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work
     * @throws X the exception of the work, unless the work was interrupted for the loss of this lease
     * @throws LeaseLostException if the lease was lost before the work ended; the exception of interrupted work is suppressed in it. Also
     *     if it was lost at the beginning: the work has not begun
     * @throws LeaseReleasedException if its holder released it before; the work has not begun
     * @throws InvalidArgumentException if the work is null
     */
    public <T, X extends Exception> T call(LeaseFunction<T, X> work) throws X {
        required("the work", work);
        ensureHeld();
        T value = working(work);
        LeaseLostException loss = cutShort();
        if (loss != null) {
            throw loss;
        }
        return value;
    }

    /**
     * Runs work without a result under this lease, as {@link #call} does.
     *
     * @param work the work
     * @param <X> the type of its exceptions
     * @throws X as in {@link #call}
     * @throws LeaseLostException as in {@link #call}
     * @throws LeaseReleasedException as in {@link #call}
     * @throws InvalidArgumentException as in {@link #call}
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X {
        call(DistributedLock.<X>withoutResult(required("the work", work)));
    }

    /**
     * Runs asynchronous work under this lease, without releasing it. The holder must not release it before the work ends. With
     * {@link OnLoss#INTERRUPT} of the lock or the client, a loss cancels the future of the work.
     *
     * @param work the work: returns a future at once; called on this thread
     * @param <T> the type of its result
     * @return completes as the future of the work does. Fails with {@link LeaseLostException} if the lease was lost before that; any other
     *     failure of the work is suppressed in it. Cancelling it cancels the future of the work
     * @throws LeaseLostException if the lease was lost at the beginning: the work has not begun
     * @throws LeaseReleasedException if its holder released it before: the work has not begun
     * @throws InvalidArgumentException if the work is null
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        required("the work", work);
        ensureHeld();
        return AsyncWork.under(workHold(), work::apply);
    }

    /**
     * Releases the lock and waits for the server's answer, at most the backend's command timeout. The lease is over when this returns or
     * throws, and is not renewed any more.
     *
     * @return the finding of the server; a second call is harmless
     * @throws BackendException if there was no answer: the release goes on in the background, and the lock is free at the latest when its
     *     lease or session ends
     * @throws ClientClosedException if the client was closed before there was an answer
     */
    public ReleaseResult release() {
        closed = true;
        boolean entered = client.engine.threads().enterUser();
        try {
            return resultOf(control.release());
        } catch (CompletionException e) {
            RuntimeException failure = translated("release", e);
            // The exception was made in the engine; the caller's own stack helps more.
            failure.fillInStackTrace();
            throw failure;
        } finally {
            recordHold();
            client.events.deliverWaiting();
            client.engine.threads().leaveUser(entered);
        }
    }

    /**
     * Releases the lock like {@link #release}, without waiting: the lease is over when this returns, and the rest happens on threads of the
     * engine.
     *
     * @return completes as {@code release} returns, or fails with its exceptions
     */
    public CompletableFuture<ReleaseResult> releaseAsync() {
        closed = true;
        ReleaseCall call;
        boolean entered = client.engine.threads().enterUser();
        try {
            call = control.beginRelease();
        } finally {
            client.engine.threads().leaveUser(entered);
        }
        recordHold();
        control.track(call);
        CompletableFuture<ReleaseResult> done = new CompletableFuture<>();
        call.result.whenCompleteAsync(
                (found, thrown) -> {
                    if (thrown == null) {
                        done.complete(resultOf(found));
                    } else {
                        done.completeExceptionally(LockException.withoutTrace(translated("release", thrown)));
                    }
                },
                client.engine.threads().callbacks);
        return done;
    }

    /** Gives it back as a part of a larger release; the caller has the result. */
    LeaseControl releasing() {
        closed = true;
        return control;
    }

    void recordHold() {
        FlightRecording.HoldSpan span = hold;
        if (span != null) {
            hold = null;
            span.end(control.lockName(), fencingToken(), control.loss() != null);
        }
    }

    RuntimeException translated(String what, Throwable thrown) {
        if (Failures.causeOf(thrown) instanceof EngineClosedException closed) {
            return client.engine.failure() == null
                    ? new ClientClosedException(String.valueOf(closed.getMessage()), name())
                    : client.closedException(control.lockName());
        }
        return ClientContext.failed(
                "could not confirm the " + what + " of lock '" + name() + "'", Failures.of(thrown), control.lockName());
    }

    static ReleaseResult resultOf(ReleaseCall.Found found) {
        return switch (found) {
            case RELEASED -> ReleaseResult.RELEASED;
            case LOST -> ReleaseResult.LOST;
            case ALREADY_RELEASED -> ReleaseResult.ALREADY_RELEASED;
        };
    }

    static LeaseState stateOf(LeaseLife.State state) {
        return switch (state) {
            case HELD -> LeaseState.HELD;
            case SUSPECT -> LeaseState.SUSPECT;
            case LOST -> LeaseState.LOST;
            case RELEASED -> LeaseState.RELEASED;
        };
    }

    /**
     * Releases the lock if it is still held. At the end of a {@code try} block, a loss of the lease is thrown, or suppressed in the
     * exception of the block. Unlike {@link #release}, this method does not throw if the backend can't be reached, or if the client is
     * closed before it has answered: the client logs that, and the release goes on in the background, if it can.
     *
     * <p>Idempotent: once a call of this method or of {@link #release} has ended the lease and reported the loss, further calls have no
     * effect.
     *
     * @throws LeaseLostException if the lease was lost before this call, or if the release found that: the block may have overlapped the
     *     work of another holder
     */
    @Override
    public void close() {
        boolean first = !closed;
        giveBack();
        LeaseLostException loss = first ? lossOfOwn() : null;
        if (loss != null) {
            throw loss;
        }
    }

    void giveBack() {
        try {
            release();
        } catch (BackendException | ClientClosedException e) {
            unconfirmed(e);
        }
    }

    /**
     * Releases the lock like {@link #close}, without waiting: the lease is over when this returns, and the rest happens on threads of the
     * engine.
     *
     * @return completes when the release is answered or given up; fails with {@link LeaseLostException} where {@code close} throws it
     */
    public CompletableFuture<Void> closeAsync() {
        boolean first = !closed;
        return giveBackAsync().thenRun(() -> {
            LeaseLostException loss = first ? lossOfOwn() : null;
            if (loss != null) {
                throw loss;
            }
        });
    }

    /** Never fails. */
    CompletableFuture<Void> giveBackAsync() {
        return releaseAsync().handle((found, failure) -> {
            if (failure != null) {
                unconfirmed(Failures.causeOf(failure));
            }
            return null;
        });
    }

    /** Ignores a loss of the smaller lease that replaced this one. */
    @Nullable
    LeaseLostException lossOfOwn() {
        return endedByClose() ? givenBackByClose() : loss();
    }

    void unconfirmed(Throwable failure) {
        client.events.releaseUnconfirmed(control.lockName(), failure);
    }

    boolean isOf(ClientContext of, LockName lock, int capacity) {
        return client == of
                && control.lockName().equals(lock)
                && control.lease().terms.share().capacity() == capacity;
    }

    boolean isForWriting() {
        return control.lease().terms.share().equals(Share.WRITE);
    }

    /** Like {@link #lower}, but throws if this lease was over before. */
    Lease lowered(Share less) {
        return lower(less).orElseThrow(() -> {
            LeaseLostException loss = cutShort();
            return loss == null ? releasedBefore() : loss;
        });
    }

    /** Keeps a smaller share: ends this lease, and begins another in its place. Empty if this lease was over before. */
    Optional<Lease> lower(Share less) {
        List<StackTraceElement> place = client.handles.samplePlace();
        try {
            return control.lower(less, smaller -> {
                recordHold();
                // The present work goes on under it.
                Lease lease = new Lease(client, smaller, whenCutShort);
                client.handles.given(lease, smaller, lease.whenCutShort, place, Thread.currentThread());
                // Set first, then checked: a task that is added now finds the lease, or is found.
                lowered = lease;
                if (whenCutShort != null && whenCutShort.watched()) {
                    lease.watch(whenCutShort);
                }
                return lease;
            });
        } catch (CompletionException e) {
            throw translated("downgrade", e);
        }
    }

    /** Runs a short task of the engine when the lease ends, on the thread that finds the end; now if it has ended. */
    void whenEnded(Runnable task) {
        control.whenEnded(task);
    }

    /** Runs work, and interrupts it if the lease is {@linkplain #cutShort cut short} and its options require that. */
    <T, X extends Exception> T working(LeaseFunction<T, X> work) throws X {
        return whenCutShort == null ? work.apply(this) : InterruptOnLoss.during(this, work);
    }

    /**
     * Runs a task when the lease is {@linkplain #cutShort cut short}, if its options stop work then; now if it was. The task runs on a
     * thread of the client's own, where it may block: an interrupt may close a channel of the work.
     *
     * @return withdraws the task, once the work has ended
     */
    Runnable whenCutShort(Runnable task) {
        return whenCutShort(new LossTasks.Task(client.engine.threads().interrupts, task, true));
    }

    /** Like {@link #whenCutShort}, for a task that runs code of the user, such as the cancellation of a future. */
    Runnable cancelWhenCutShort(Runnable task) {
        return whenCutShort(new LossTasks.Task(client.engine.threads().callbacks::executeElsewhere, task, false));
    }

    private Runnable whenCutShort(LossTasks.Task task) {
        LossTasks tasks = whenCutShort;
        if (tasks == null) {
            return () -> {};
        }
        if (tasks.add(task)) {
            latest().watch(tasks);
        }
        return () -> tasks.remove(task);
    }

    private void watch(LossTasks tasks) {
        control.stopWorkBy(stopped -> {
            if (control.lease().loss() != null || endedByClose()) {
                tasks.cutShort(stopped);
            } else {
                stopped.run();
            }
        });
    }

    /** Returns the lease that is left of the hold after downgrades. */
    Lease latest() {
        Lease latest = this;
        for (Lease next = lowered; next != null; next = next.lowered) {
            latest = next;
        }
        return latest;
    }

    /** Returns null if the lease was not lost. */
    @Nullable
    LeaseLostException loss() {
        String why = control.loss();
        return why == null ? null : lost(named() + " was lost: " + why);
    }

    private LeaseLostException givenBackByClose() {
        return lost(named() + " was given back before its holder released it: its client was ended by closeNow()");
    }

    private LeaseLostException lost(String message) {
        return new LeaseLostException(message, name(), fencingToken());
    }

    LeaseReleasedException releasedBefore() {
        return new LeaseReleasedException(named() + " was released before", name(), fencingToken());
    }

    /** Returns an exception if others may have had the lock before its holder had finished with this lease or its remainder; else null. */
    @Nullable
    LeaseLostException cutShort() {
        Lease latest = latest();
        return latest.endedByClose() ? latest.givenBackByClose() : latest.loss();
    }

    WorkHold<Lease> workHold() {
        return new WorkHold<>() {
            @Override
            public Lease lease() {
                return Lease.this;
            }

            @Override
            public void beginning(Runnable task) {
                Lease.this.beginning(task);
            }

            @Override
            public Runnable cancelWhenCutShort(Runnable task) {
                return Lease.this.cancelWhenCutShort(task);
            }

            @Override
            public @Nullable LeaseLostException cutShort() {
                return Lease.this.cutShort();
            }

            @Override
            public CompletableFuture<?> giveBackAsync() {
                return latest().giveBackAsync();
            }
        };
    }

    /** Runs a task in which this thread begins work that goes on elsewhere under the lease. */
    void beginning(Runnable task) {
        client.handles.beginning(control.lease(), task);
    }

    LeaseControl control() {
        return control;
    }

    /** Notes that this thread does all work under the lease. */
    void takenOver() {
        LeaseHandles.takenOver(control.lease());
    }

    @Nullable
    LossTasks lossTasks() {
        return whenCutShort;
    }

    /** Returns true if the end of the client gave this lease back. */
    boolean endedByClose() {
        return control.endedByClose();
    }

    private String named() {
        return LockEvents.lease(control.lockName(), fencingToken());
    }

    /** Names the lock, the state, the token and the number behind it on the server, for logs. */
    @Override
    public String toString() {
        return "Lease[" + name() + ", " + state() + ", " + LockEvents.token(fencingToken()) + "]";
    }
}
