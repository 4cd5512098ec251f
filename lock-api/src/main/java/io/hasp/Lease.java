package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that this client holds. Any thread may use or release it: it belongs to whoever has the reference, not to a
 * thread. Thread-safe.
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
    private static final System.Logger LOG = System.getLogger("io.hasp");

    private final Engine engine;
    private final Tenure tenure;

    Lease(Engine engine, Tenure tenure) {
        this.engine = engine;
        this.tenure = tenure;
    }

    /**
     * What is locked.
     *
     * @return the lock's name
     */
    public String name() {
        return tenure.queue.name.value();
    }

    /**
     * A number that grows with every later grant of the same lock name, whoever gets it. Store it beside the protected
     * data and refuse writes (and reads that lead to writes) with a smaller one. It is the number that the server granted the
     * lock with × 256, plus how often the lease was handed on within this client since; {@link #toString} shows both.
     *
     * @return a positive number, the same for the whole life of this lease
     */
    public long fencingToken() {
        return tenure.token();
    }

    /**
     * What is known locally, right now. No I/O.
     *
     * @return never HELD or SUSPECT after the local deadline, whatever replies are still on their way
     */
    public LeaseState state() {
        return tenure.state();
    }

    /**
     * How long the lease is certain to last without any further confirmation: a local lower bound, no I/O.
     *
     * @return zero if it has ended
     */
    public Duration remaining() {
        LeaseLife now = tenure.life();
        return now.ended() ? Duration.ZERO : Duration.ofNanos(Math.max(0, now.deadline() - engine.now()));
    }

    /**
     * Throws unless the lease is HELD or SUSPECT. It says nothing about the moment after it returned.
     *
     * @throws LeaseLostException if the lease was lost, or was released already
     */
    public void ensureHeld() {
        LeaseState now = state();
        if (now == LeaseState.RELEASED) {
            throw new LeaseLostException(named() + " was released before");
        }
        LeaseLostException loss = loss();
        if (loss != null) {
            throw loss;
        }
    }

    /**
     * Tells about every later change of state, in the order of the changes, and at once if the lease has ended already.
     *
     * @param executor where the listener runs; it may block there. If it refuses, that is logged and this listener is not
     *     told
     * @param listener told the new state; a change back from SUSPECT to HELD included
     */
    public void onChange(Executor executor, Consumer<LeaseState> listener) {
        tenure.onChange(executor, listener);
    }

    /**
     * Asks the server to keep a lock with a fixed lease for longer.
     *
     * @param lease how long from now at least, 10 ms to 365 days; a shorter one than what remains changes nothing
     * @throws InvalidArgumentException if out of that range or beyond the end of max hold, or if this lease is renewed
     *     automatically
     * @throws LeaseLostException if the lease was lost or released, before or meanwhile
     * @throws BackendUnavailableException if the server did not confirm: the lease keeps its present end, at least
     */
    public void extend(Duration lease) {
        Durations.lease("lease", lease);
        if (tenure.terms.renewed()) {
            throw new InvalidArgumentException(
                    "the lease of lock '" + name() + "' is renewed automatically: cap it with maxHold");
        }
        ensureHeld();
        tenure.holdLeft().filter(left -> left.compareTo(lease) < 0).ifPresent(left -> {
            throw new InvalidArgumentException("lease is " + lease + ": max hold leaves lock '" + name() + "' " + left);
        });
        long sentAt = engine.now();
        Renewal renewal = engine.calls.join(engine.backend
                .renew(List.of(asked(Terms.wholeMilliseconds(lease))))
                .handle((renewals, thrown) ->
                        thrown == null ? renewals.get(0) : new Renewal.Unknown(Engine.failureOf(thrown))));
        if (renewal instanceof Renewal.Unknown unknown) {
            throw new BackendUnavailableException(
                    "could not confirm the extension of lock '" + name() + "': "
                            + unknown.why().getMessage(),
                    unknown.why());
        }
        if (renewal instanceof Renewal.Renewed) {
            long asked = Durations.nanos(lease);
            tenure.recap(sentAt + asked - Durations.drift(asked));
        }
        tenure.endRenewal(sentAt, renewal);
        ensureHeld();
        engine.watchdog.watch(tenure);
    }

    private Grant asked(Duration lease) {
        tenure.asks(lease);
        Grant grant = tenure.grant;
        return grant.withClaim(grant.claim().withLease(lease));
    }

    /**
     * Gives the lock back and waits for the server's answer, at most the backend's command timeout. Whatever happens, the
     * lease is over when this returns or throws, and is not renewed any more.
     *
     * @return what was found; asking twice is harmless
     * @throws BackendUnavailableException if there was no answer: the release goes on in the background, and the lock is
     *     free at the latest when its lease or session ends
     * @throws ClientClosedException if the client was closed before there was an answer
     */
    public ReleaseResult release() {
        try {
            Optional<ReleaseResult> ended = tenure.end();
            return ended.isPresent() ? ended.get() : engine.calls.join(giveBack());
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockException failure) {
                // Made on another thread perhaps: the caller's own stack is what helps.
                failure.fillInStackTrace();
                throw failure;
            }
            throw e;
        }
    }

    /**
     * Like {@link #release}, without waiting: the lease is over when this returns, and the rest happens on the engine's
     * threads.
     *
     * @return completes with what was found, or fails with {@link BackendUnavailableException}
     */
    public CompletableFuture<ReleaseResult> releaseAsync() {
        CompletableFuture<ReleaseResult> done = new CompletableFuture<>();
        Optional<ReleaseResult> ended = tenure.end();
        if (ended.isEmpty()) {
            engine.calls.track(done);
        }
        Runnable rest = () -> ended.<CompletionStage<ReleaseResult>>map(CompletableFuture::completedStage)
                .orElseGet(this::giveBack)
                .whenCompleteAsync(
                        (result, thrown) -> {
                            if (thrown == null) {
                                done.complete(result);
                            } else {
                                done.completeExceptionally(LockException.withoutTrace(Engine.causeOf(thrown)));
                            }
                        },
                        engine.threads.callbacks);
        engine.execute(rest);
        return done;
    }

    private CompletionStage<ReleaseResult> giveBack() {
        return tenure.queue.giveBack(tenure).handle((released, thrown) -> {
            if (thrown != null) {
                BackendFailure failure = Engine.failureOf(thrown);
                throw new BackendUnavailableException(
                        "could not confirm the release of lock '" + name() + "': " + failure.getMessage(), failure);
            }
            if (released == Released.RELEASED) {
                return ReleaseResult.RELEASED;
            }
            tenure.foundLost();
            return ReleaseResult.LOST;
        });
    }

    /**
     * Releases the lock if it is still held. Unlike {@link #release} it does not throw when the backend can't be reached
     * (that is logged, and the release goes on in the background), so that it never hides the outcome of the work done
     * under the lock; it does not say whether the lease was lost either. Idempotent.
     */
    @Override
    public void close() {
        try {
            release();
        } catch (BackendUnavailableException e) {
            LOG.log(System.Logger.Level.WARNING, e.getMessage());
        }
    }

    /** Runs a short task of the engine's own when the lease ends, on the thread on which that is found; now if it has ended. */
    void whenEnded(Runnable task) {
        tenure.whenEnded(task);
    }

    /** Why it was lost; null if it was not. */
    @Nullable
    LeaseLostException loss() {
        String why = tenure.loss();
        return why == null ? null : new LeaseLostException(named() + " was lost: " + why);
    }

    private String named() {
        return LockEvents.lease(tenure.queue.name, fencingToken());
    }

    /** Names the lock, the state, the token and the number behind it on the server, for logs. */
    @Override
    public String toString() {
        return "Lease[" + name() + ", " + state() + ", " + LockEvents.token(fencingToken()) + "]";
    }
}
