package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A hold on all locks of a {@link MultiLock} by this client: one lease with a fencing token per lock. Belongs to no thread: any thread may
 * use or release it. Thread-safe.
 *
 * <p>The loss of one lock is the loss of all: the state becomes {@link LeaseState#LOST}, listeners are notified once, work with
 * {@link OnLoss#INTERRUPT} is interrupted, and the other locks are released. As with a {@link Lease}, this is a claim and not a proof: send
 * {@link #fencingToken(String)} with every write that the lock of that name protects.
 *
 * <p>Methods that need held locks throw {@link LeaseLostException} if one was lost, or given back by {@link LockClient#closeNow}, and
 * {@link LeaseReleasedException} if the holder released them before. These exceptions name one lock and its token.
 */
public final class MultiLease implements AutoCloseable {
    private final ClientContext client;
    /** In the canonical order. */
    private final List<Lease> parts;

    private final MultiHold hold;
    /** True once the holder has released this lease, so that a loss is thrown once. */
    private volatile boolean closed;

    MultiLease(ClientContext client, List<Lease> parts, @Nullable LossTasks tasks) {
        this.client = client;
        this.parts = parts;
        this.hold = new MultiHold(client, controls(), tasks);
        hold.watch();
    }

    private List<LeaseControl> controls() {
        return parts.stream().map(Lease::control).toList();
    }

    /**
     * Returns the names of the locks.
     *
     * @return in the order of {@link MultiLock#names}
     */
    public List<String> names() {
        return parts.stream().map(Lease::name).toList();
    }

    /**
     * Returns the token of one lock, with the promises of {@link Lease#fencingToken}. Tokens of different names are not comparable.
     *
     * @param name the name of one of the locks
     * @return the same for the whole life of this lease
     * @throws InvalidArgumentException if no lock of this lease has that name
     */
    public long fencingToken(String name) {
        return lease(name).fencingToken();
    }

    /**
     * Returns the lease of one lock, for code that works with one: it has the state and the token of that lock. It ends with this lease. If
     * it is released alone, this lease is RELEASED as well, and the other locks stay taken until this lease is closed.
     *
     * @param name the name of one of the locks
     * @return the same for each call
     * @throws InvalidArgumentException if no lock of this lease has that name
     */
    public Lease lease(String name) {
        return parts.stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new InvalidArgumentException("'" + name + "' is no lock of this lease, which has " + names()));
    }

    /**
     * Returns the tokens of all locks.
     *
     * @return by name, in the order of {@link #names}; unmodifiable
     */
    public Map<String, Long> fencingTokens() {
        return byName(parts.stream().map(Lease::fencingToken).toList());
    }

    private <T> Map<String, T> byName(List<T> values) {
        Map<String, T> all = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            all.put(parts.get(i).name(), values.get(i));
        }
        return Collections.unmodifiableMap(all);
    }

    /**
     * Returns the worst state of all locks, as far as this client knows. No I/O.
     *
     * @return never HELD or SUSPECT after the earliest local deadline. An end is final
     */
    public LeaseState state() {
        return Lease.stateOf(hold.state());
    }

    /**
     * Returns the time until the earliest local deadline, if no further confirmation comes. No I/O.
     *
     * @return a lower bound; zero if the lease has ended
     */
    public Duration remaining() {
        LeaseState now = state();
        return now == LeaseState.LOST || now == LeaseState.RELEASED
                ? Duration.ZERO
                : parts.stream().map(Lease::remaining).min(Duration::compareTo).orElseThrow();
    }

    /**
     * Throws unless all locks are HELD or SUSPECT. No I/O. Not guaranteed: anything after the return.
     *
     * @throws LeaseLostException if a lock was lost
     * @throws LeaseReleasedException if the holder released them before
     */
    public void ensureHeld() {
        LeaseState now = state();
        LeaseLostException loss = lossOfOwn();
        if (loss != null) {
            throw loss;
        }
        if (now == LeaseState.RELEASED) {
            throw parts.get(0).releasedBefore();
        }
    }

    private @Nullable LeaseLostException lossOfOwn() {
        for (Lease part : parts) {
            LeaseLostException loss = part.lossOfOwn();
            if (loss != null) {
                return loss;
            }
        }
        return null;
    }

    /** Returns an exception if others may have had a lock before its holder had finished with this lease or its remainder; else null. */
    @Nullable
    LeaseLostException cutShort() {
        for (Lease part : parts) {
            LeaseLostException loss = part.cutShort();
            if (loss != null) {
                return loss;
            }
        }
        return null;
    }

    /**
     * Notifies a listener of every later change of {@link #state}, in the order of the changes, and at once if the lease has ended already.
     *
     * @param executor runs the listener, which may block there. If it rejects the task, the client logs that, and the listener misses this
     *     change
     * @param listener receives the new state, also when SUSPECT changes back to HELD
     * @return ends the notifications
     * @throws InvalidArgumentException if an argument is null
     */
    public Registration onChange(Executor executor, Consumer<LeaseState> listener) {
        return hold.onChange(required("the executor", executor), required("the listener", listener));
    }

    /**
     * Extends fixed leases on the server, all at the same time, and waits for the answers.
     *
     * @param lease the least time from now, 10 ms to 365 days; less than {@link #remaining} changes nothing
     * @throws InvalidArgumentException if out of that range or beyond the end of a max hold, or if a lock is renewed automatically: nothing
     *     was sent
     * @throws LeaseLostException if a lock was lost, before or during the call
     * @throws LeaseReleasedException if the lease was released, before or during the call
     * @throws BackendException if the server did not confirm one extension: each lock keeps at least its present end
     */
    public void extend(Duration lease) {
        parts.forEach(part -> part.requireExtensible(lease));
        ensureHeld();
        List<CompletionStage<Renewal>> answers = LeaseControl.beginExtensions(controls(), lease);
        RuntimeException failed = null;
        for (int i = 0; i < answers.size(); i++) {
            try {
                parts.get(i).awaitExtension(answers.get(i));
            } catch (BackendException | ClientClosedException e) {
                failed = first(failed, e);
            }
        }
        ensureHeld();
        if (failed != null) {
            throw failed;
        }
    }

    private static RuntimeException first(@Nullable RuntimeException before, RuntimeException next) {
        if (before == null) {
            return next;
        }
        before.addSuppressed(next);
        return before;
    }

    /**
     * Runs work under this lease, without releasing it, as {@link Lease#call} does. With {@link OnLoss#INTERRUPT} of one of the locks or the
     * client, a loss during the work interrupts the calling thread, and never after this method has returned.
     *
     * @param work the work
     * @param <T> the type of its result
     * @param <X> the type of its exceptions
     * @return the result of the work
     * @throws X the exception of the work, unless the work was interrupted for the loss of this lease
     * @throws LeaseLostException if a lock was lost before the work ended, or at the beginning: then the work has not begun
     * @throws LeaseReleasedException if the holder released it before; the work has not begun
     * @throws InvalidArgumentException if the work is null
     */
    public <T, X extends Exception> T call(MultiLock.Work<T, X> work) throws X {
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
    public <X extends Exception> void run(MultiLock.Action<X> work) throws X {
        call(MultiLock.<X>withoutResult(required("the work", work)));
    }

    /**
     * Runs asynchronous work under this lease, without releasing it, as {@link Lease#callAsync} does.
     *
     * @param work the work: returns a future at once; called on this thread
     * @param <T> the type of its result
     * @return completes as the future of the work does. Fails with {@link LeaseLostException} if a lock was lost before that
     * @throws LeaseLostException if a lock was lost at the beginning: the work has not begun
     * @throws LeaseReleasedException if the holder released it before: the work has not begun
     * @throws InvalidArgumentException if the work is null
     */
    @CheckReturnValue
    public <T> CompletableFuture<T> callAsync(MultiLock.Work<? extends CompletionStage<T>, ? extends Exception> work) {
        required("the work", work);
        ensureHeld();
        return AsyncWork.under(workHold(), work::apply);
    }

    /** Runs work, and interrupts it if a lock is lost and its options require that. */
    <T, X extends Exception> T working(MultiLock.Work<T, X> work) throws X {
        return hold.stopsWork()
                ? InterruptOnLoss.during(this::whenCutShort, this::cutShort, () -> work.apply(this))
                : work.apply(this);
    }

    private Runnable whenCutShort(Runnable task) {
        return hold.whenCutShort(new LossTasks.Task(client.engine.threads().interrupts, task, true));
    }

    WorkHold<MultiLease> workHold() {
        return new WorkHold<>() {
            @Override
            public MultiLease lease() {
                return MultiLease.this;
            }

            @Override
            public void beginning(Runnable task) {
                MultiLease.this.beginning(task);
            }

            @Override
            public Runnable cancelWhenCutShort(Runnable task) {
                return hold.whenCutShort(
                        new LossTasks.Task(client.engine.threads().callbacks::executeElsewhere, task, false));
            }

            @Override
            public @Nullable LeaseLostException cutShort() {
                return MultiLease.this.cutShort();
            }

            @Override
            public CompletableFuture<?> giveBackAsync() {
                return MultiLease.this.giveBackAsync(latest());
            }
        };
    }

    /** Runs a task in which this thread begins work that goes on elsewhere under the lease. */
    void beginning(Runnable task) {
        Runnable nested = task;
        for (Lease part : parts) {
            Runnable inner = nested;
            nested = () -> part.beginning(inner);
        }
        nested.run();
    }

    /**
     * Releases all locks at the same time, and waits for the server's answers, at most the backend's command timeout. The lease is over
     * when this returns or throws, and no lock is renewed any more.
     *
     * @return the finding of the server about each lock, by name; a second call is harmless
     * @throws BackendException if there was no answer about a lock: its release goes on in the background, and it is free at the latest
     *     when its lease or session ends. All other locks were released, or their exceptions are suppressed in this one
     * @throws ClientClosedException if the client was closed before there were answers
     */
    public Map<String, ReleaseResult> release() {
        List<ReleaseResult> results = new ArrayList<>();
        RuntimeException failed = null;
        for (Answer answer : released(parts)) {
            results.add(answer.result);
            failed = answer.failure == null ? failed : first(failed, answer.failure);
        }
        if (failed != null) {
            // The exception was made in the engine; the caller's own stack helps more.
            failed.fillInStackTrace();
            throw failed;
        }
        return byName(results);
    }

    /** The answer to the release of one lock. */
    private record Answer(
            Lease part, ReleaseResult result, @Nullable RuntimeException failure) {}

    private List<Answer> released(List<Lease> leases) {
        closed = true;
        boolean entered = client.engine.threads().enterUser();
        try {
            List<ReleaseCall> calls = LeaseControl.releaseAll(
                    leases.stream().map(Lease::releasing).toList());
            List<Answer> answers = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                answers.add(answer(leases.get(i), calls.get(i)));
            }
            return answers;
        } finally {
            client.events.deliverWaiting();
            client.engine.threads().leaveUser(entered);
        }
    }

    private static Answer answer(Lease part, ReleaseCall call) {
        try {
            return new Answer(part, Lease.resultOf(call.result.join()), null);
        } catch (CompletionException e) {
            return new Answer(part, ReleaseResult.LOST, part.translated("release", e));
        } finally {
            part.recordHold();
        }
    }

    /**
     * Releases all locks like {@link #release}, without waiting: the lease is over when this returns, and the rest happens on threads of
     * the engine.
     *
     * @return completes as {@code release} returns, or fails with its exceptions
     */
    public CompletableFuture<Map<String, ReleaseResult>> releaseAsync() {
        closed = true;
        List<CompletableFuture<ReleaseResult>> answers =
                parts.stream().map(Lease::releaseAsync).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all ->
                        byName(answers.stream().map(CompletableFuture::join).toList()));
    }

    /**
     * Releases all locks that are still held. At the end of a {@code try} block, a loss is thrown, or suppressed in the exception of the
     * block. Unlike {@link #release}, this method does not throw if the backend can't be reached, or if the client is closed before it has
     * answered: the client logs that, and the release goes on in the background, if it can.
     *
     * <p>Idempotent: once a call of this method or of {@link #release} has ended the lease and reported the loss, further calls have no
     * effect.
     *
     * @throws LeaseLostException if a lock was lost before this call, or if its release found that: the block may have overlapped the work
     *     of another holder
     */
    @Override
    public void close() {
        boolean first = !closed;
        giveBack();
        throwLoss(first);
    }

    private void throwLoss(boolean first) {
        LeaseLostException loss = first ? lossOfOwn() : null;
        if (loss != null) {
            throw loss;
        }
    }

    void giveBack() {
        giveBack(parts);
    }

    /** Releases what downgrades have left, too. */
    void giveBackWhole() {
        giveBack(latest());
    }

    private List<Lease> latest() {
        return parts.stream().map(Lease::latest).toList();
    }

    private void giveBack(List<Lease> leases) {
        for (Answer answer : released(leases)) {
            if (answer.failure instanceof BackendException || answer.failure instanceof ClientClosedException) {
                answer.part.unconfirmed(answer.failure);
            } else if (answer.failure != null) {
                throw answer.failure;
            }
        }
    }

    /**
     * Releases all locks like {@link #close}, without waiting: the lease is over when this returns, and the rest happens on threads of the
     * engine.
     *
     * @return completes when each release is answered or given up; fails with {@link LeaseLostException} where {@code close} throws it
     */
    public CompletableFuture<Void> closeAsync() {
        boolean first = !closed;
        return giveBackAsync(parts).thenRun(() -> throwLoss(first));
    }

    /** Never fails. */
    CompletableFuture<Void> giveBackAsync() {
        return giveBackAsync(parts);
    }

    private CompletableFuture<Void> giveBackAsync(List<Lease> leases) {
        closed = true;
        return CompletableFuture.allOf(leases.stream().map(Lease::giveBackAsync).toArray(CompletableFuture[]::new));
    }

    /** Names the locks, the state and the tokens, for logs. */
    @Override
    public String toString() {
        return "MultiLease["
                + parts.stream()
                        .map(part -> part.name() + ": " + LockEvents.token(part.fencingToken()))
                        .collect(Collectors.joining(", "))
                + ", " + state() + "]";
    }
}
