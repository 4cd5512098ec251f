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
 * A lock that this client holds. Any thread may use or release it: it belongs to no thread. Thread-safe.
 *
 * <p>A lease is a claim, not a proof. It ends locally ({@link LeaseState#LOST}) before any other client can get the lock
 * from a well-behaved server, whatever the network does; but a process that is paused between the look at
 * {@link #state()} and the write it protects can't know. Send {@link #fencingToken()} with every write. The clock behind
 * the deadline may stop while a virtual machine is suspended: then, too, only the token protects.
 *
 * <p>After Gray and Cheriton, <em>Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache
 * Consistency</em> (SOSP 1989); fencing tokens after Burrows, <em>The Chubby Lock Service</em> (OSDI 2006), "sequencers".
 */
public final class Lease implements AutoCloseable {
    private final ClientContext client;
    private final LeaseControl control;
    /** Until it is given back; null if it is not recorded. */
    private FlightRecording.@Nullable HoldSpan hold = FlightRecording.hold();

    /** Null if work under this lease goes on when it is lost. */
    private final @Nullable LossTasks whenCutShort;

    /** Began in the place of this one when its holder kept a part of its share. */
    private volatile @Nullable Lease lowered;

    /** Its holder has released it, and was notified of a loss. */
    private volatile boolean closed;

    Lease(ClientContext client, LeaseControl control, OnLoss onLoss) {
        this(client, control, onLoss == OnLoss.INTERRUPT ? new LossTasks() : null);
    }

    private Lease(ClientContext client, LeaseControl control, @Nullable LossTasks whenCutShort) {
        this.client = client;
        this.control = control;
        this.whenCutShort = whenCutShort;
    }

    /**
     * What is locked.
     *
     * @return the lock's name
     */
    public String name() {
        return control.lockName().value();
    }

    /**
     * A number that grows with every later grant of the same lock name, to this client or another. Store it beside the protected
     * data and refuse writes (and reads that lead to writes) with a smaller one. It is the number that the server granted the
     * lock with × 256, plus how often the lease was handed on within this client since, or one after a
     * {@link DistributedReadWriteLock#downgrade}; {@link #toString} shows both.
     *
     * <p>Readers of a {@link DistributedReadWriteLock} work at the same time, so a store must not refuse one because another had a
     * larger token: it takes a read above the largest token of a <em>write</em>, and a write not below the largest token of all.
     * Readers of one client may have the same token. The tokens of permits are names: no two leases have the same, and of two
     * that can't be held together the later one has the larger.
     *
     * @return a positive number, the same for the whole life of this lease
     */
    public long fencingToken() {
        return control.lease().token();
    }

    /**
     * How many permits of a {@link DistributedSemaphore} the lease has.
     *
     * @return the same for the whole life of this lease; 1 for every other lock
     */
    public int permits() {
        Share share = control.lease().terms.share();
        return share.capacity() == Share.READ_WRITE ? 1 : share.weight();
    }

    /**
     * What is known locally, right now. No I/O.
     *
     * @return never HELD or SUSPECT after the local deadline, whatever replies are still on their way
     */
    public LeaseState state() {
        return stateOf(control.life().state());
    }

    /**
     * How long the lease is certain to last without any further confirmation: a local lower bound, no I/O.
     *
     * @return zero if it has ended
     */
    public Duration remaining() {
        LeaseLife life = control.life();
        return life.ended() ? Duration.ZERO : Duration.ofNanos(Math.max(0, life.deadline() - control.now()));
    }

    /**
     * Throws unless the lease is HELD or SUSPECT. It says nothing about the moment after it returned.
     *
     * @throws LeaseLostException if the lease was lost, or was given back by {@link LockClient#closeNow}
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
     * @param executor runs the listener, which may block there. If it rejects the task, that is logged and the listener is not
     *     notified of this change
     * @param listener receives the new state; a change back from SUSPECT to HELD included
     * @return ends the notifications
     * @throws InvalidArgumentException if one of them is null
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
     * Asks the server to keep a lock with a fixed lease for longer.
     *
     * @param lease how long from now at least, 10 ms to 365 days; a shorter one than what remains changes nothing
     * @throws InvalidArgumentException if out of that range or beyond the end of max hold, or if this lease is renewed
     *     automatically
     * @throws LeaseLostException if the lease was lost, before or during the call
     * @throws LeaseReleasedException if it was released, before or during the call
     * @throws BackendException if the server did not confirm: the lease keeps its present end, at least
     */
    public void extend(Duration lease) {
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
        try {
            if (control.extend(lease) instanceof Renewal.Unknown unknown) {
                throw ClientContext.failed(
                        "could not confirm the extension of lock '" + name() + "'", unknown.why(), control.lockName());
            }
        } catch (CompletionException e) {
            throw translated("extension", e);
        }
        ensureHeld();
    }

    /**
     * Runs work under this lease, and leaves the lease to its holder: what {@link DistributedLock#call} does between its acquisition
     * and its release. With {@link OnLoss#INTERRUPT} of the lock or the client, the calling thread is interrupted if the lease is lost
     * meanwhile, and never after this has returned. Calls may be nested.
     *
     * @param work what to do
     * @param <T> what it returns
     * @param <X> what it may throw
     * @return what the work returned
     * @throws X what the work threw, unless the work was interrupted for the loss of this lease
     * @throws LeaseLostException if the lease was lost, or given back by {@link LockClient#closeNow}, before the work ended; what an
     *     interrupted work threw is suppressed in it. Also if it was lost at the beginning: the work has not begun
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
     * @param work what to do
     * @param <X> what it may throw
     * @throws X what the work threw, unless the work was interrupted for the loss of this lease
     * @throws LeaseLostException as in {@link #call}
     * @throws LeaseReleasedException as in {@link #call}
     * @throws InvalidArgumentException if the work is null
     */
    public <X extends Exception> void run(LeaseAction<X> work) throws X {
        call(DistributedLock.<X>withoutResult(required("the work", work)));
    }

    /**
     * Runs work that ends with a future under this lease, and leaves the lease to its holder, who must not give it back earlier. With
     * {@link OnLoss#INTERRUPT} of the lock or the client, the work's future is cancelled if the lease is lost meanwhile.
     *
     * @param work what to do: returns a future at once; called on this thread
     * @param <T> what it completes with
     * @return completes as the work's future does. Fails with {@link LeaseLostException} if the lease was lost, or given back by
     *     {@link LockClient#closeNow}, before that; what else the work failed with is suppressed in it. Cancelling it cancels the work's future
     * @throws LeaseLostException if the lease was lost at the beginning: the work has not begun
     * @throws LeaseReleasedException if its holder released it before: the work has not begun
     * @throws InvalidArgumentException if the work is null
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(LeaseFunction<? extends CompletionStage<T>, ? extends Exception> work) {
        required("the work", work);
        ensureHeld();
        return AsyncWork.under(this, work);
    }

    /**
     * Gives the lock back and waits for the server's answer, at most the backend's command timeout. Whatever happens, the
     * lease is over when this returns or throws, and is not renewed any more.
     *
     * @return what was found; asking twice is harmless
     * @throws BackendException if there was no answer: the release goes on in the background, and the lock is
     *     free at the latest when its lease or session ends
     * @throws ClientClosedException if the client was closed before there was an answer
     */
    public ReleaseResult release() {
        closed = true;
        boolean entered = client.engine.threads().enterUser();
        try {
            return resultOf(control.release());
        } catch (CompletionException e) {
            RuntimeException failure = translated("release", e);
            // Made further down: the caller's own stack is what helps.
            failure.fillInStackTrace();
            throw failure;
        } finally {
            recordHold();
            client.events.help();
            client.engine.threads().leaveUser(entered);
        }
    }

    /**
     * Like {@link #release}, without waiting: the lease is over when this returns, and the rest happens on the engine's
     * threads.
     *
     * @return completes with what was found, or fails with {@link BackendException}
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

    private void recordHold() {
        FlightRecording.HoldSpan span = hold;
        if (span != null) {
            hold = null;
            span.end(control.lockName(), fencingToken(), control.loss() != null);
        }
    }

    private RuntimeException translated(String what, Throwable thrown) {
        if (Failures.causeOf(thrown) instanceof EngineClosedException closed) {
            return client.engine.failure() == null
                    ? new ClientClosedException(String.valueOf(closed.getMessage()), name())
                    : client.closedException(control.lockName());
        }
        return ClientContext.failed(
                "could not confirm the " + what + " of lock '" + name() + "'", Failures.of(thrown), control.lockName());
    }

    private static ReleaseResult resultOf(ReleaseCall.Found found) {
        return switch (found) {
            case RELEASED -> ReleaseResult.RELEASED;
            case LOST -> ReleaseResult.LOST;
            case ALREADY_RELEASED -> ReleaseResult.ALREADY_RELEASED;
        };
    }

    private static LeaseState stateOf(LeaseLife.State state) {
        return switch (state) {
            case HELD -> LeaseState.HELD;
            case SUSPECT -> LeaseState.SUSPECT;
            case LOST -> LeaseState.LOST;
            case RELEASED -> LeaseState.RELEASED;
        };
    }

    /**
     * Releases the lock if it is still held. At the end of a {@code try} block, a loss of the lease is thrown, or suppressed in what the
     * block threw. Unlike {@link #release} it does not throw when the backend can't be reached, or when
     * the client is closed before it has answered: that is logged, and the release goes on in the background, if it can. Idempotent: once a
     * call of this method or of {@link #release} has ended the lease and reported the loss, further calls have no effect.
     *
     * @throws LeaseLostException if the lease was lost, or given back by {@link LockClient#closeNow}, before this call, or if the release
     *     found that: the block may have overlapped another holder's
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

    /** Releases without an exception. */
    void giveBack() {
        try {
            release();
        } catch (BackendException | ClientClosedException e) {
            unconfirmed(e);
        }
    }

    /**
     * Like {@link #close}, without waiting: the lease is over when this returns, and the rest happens on the engine's threads.
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

    /** Releases without waiting; never fails. */
    CompletableFuture<Void> giveBackAsync() {
        return releaseAsync().handle((found, failure) -> {
            if (failure != null) {
                unconfirmed(Failures.causeOf(failure));
            }
            return null;
        });
    }

    /** A lease that goes on as a smaller one is not lost with that one. */
    private @Nullable LeaseLostException lossOfOwn() {
        return endedByClose() ? givenBackByClose() : loss();
    }

    private void unconfirmed(Throwable failure) {
        client.events.releaseUnconfirmed(control.lockName(), failure);
    }

    /** What it is a share of, in this client. */
    boolean isOf(ClientContext of, LockName lock, int capacity) {
        return client == of
                && control.lockName().equals(lock)
                && control.lease().terms.share().capacity() == capacity;
    }

    boolean isForWriting() {
        return control.lease().terms.share().equals(Share.WRITE);
    }

    /** Like {@link #lower}, for a lease that has to be held. */
    Lease lowered(Share less) {
        return lower(less).orElseThrow(() -> {
            LeaseLostException loss = cutShort();
            return loss == null ? releasedBefore() : loss;
        });
    }

    /** Keeps a smaller share: this lease is over, and another begins in its place. Empty if it was over before. */
    Optional<Lease> lower(Share less) {
        List<StackTraceElement> place = client.handles.samplePlace();
        try {
            return control.lower(less, smaller -> {
                recordHold();
                // The work that runs at present goes on under it.
                Lease lease = new Lease(client, smaller, whenCutShort);
                client.handles.given(lease, smaller, lease.whenCutShort, place, Thread.currentThread());
                // Before the look: a task that comes at this moment finds the lease, or is found.
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

    /** Runs a short task of the engine's own when the lease ends, on the thread on which that is found; now if it has ended. */
    void whenEnded(Runnable task) {
        control.whenEnded(task);
    }

    /** Runs work, interrupted if that is wanted when the lease is {@linkplain #cutShort cut short}. */
    <T, X extends Exception> T working(LeaseFunction<T, X> work) throws X {
        return whenCutShort == null ? work.apply(this) : InterruptOnLoss.during(this, work);
    }

    /**
     * Runs a task when the lease is {@linkplain #cutShort cut short}, if work is to be stopped then; now if it was. It runs on a
     * thread of the client's own, where it may take its time: an interrupt may close a channel of the work's.
     *
     * @return takes it back, as the work has ended
     */
    Runnable whenCutShort(Runnable task) {
        return whenCutShort(new LossTasks.Task(client.engine.threads().interrupts, task, true));
    }

    /** The same for a task that runs code of the user's, as a future does that is cancelled. */
    Runnable cancelWhenCutShort(Runnable task) {
        return whenCutShort(new LossTasks.Task(client.engine.threads().callbacks, task, false));
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

    /** What is left of the hold: the lease that began last in the place of another one. */
    Lease latest() {
        Lease latest = this;
        for (Lease next = lowered; next != null; next = next.lowered) {
            latest = next;
        }
        return latest;
    }

    /** Why it was lost; null if it was not. */
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

    private LeaseReleasedException releasedBefore() {
        return new LeaseReleasedException(named() + " was released before", name(), fencingToken());
    }

    /** Why others may have had the lock before its holder was done with it, or with what is left of it; null if they had not. */
    @Nullable
    LeaseLostException cutShort() {
        Lease latest = latest();
        return latest.endedByClose() ? latest.givenBackByClose() : latest.loss();
    }

    /** Runs a task in which this thread begins work under the lease, which goes on elsewhere. */
    void beginning(Runnable task) {
        client.handles.beginning(control.lease(), task);
    }

    @Nullable
    LossTasks lossTasks() {
        return whenCutShort;
    }

    /** Whether it was given back by the end of its client. */
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
