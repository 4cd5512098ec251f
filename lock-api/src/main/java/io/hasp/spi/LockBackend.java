package io.hasp.spi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Serves the requests of the engine on one lock service. Thread-safe.
 *
 * <p>A stage may complete on the calling thread (a blocking client library) or on a thread of the library; the engine's callbacks are short
 * and never block. Every stage completes within the backend's own command timeout, and fails only with a {@link BackendFailure}. A method
 * itself never throws. The engine takes an exception for an outage of that call. An {@link Error} ends the client: a thrown one, the
 * failure of a stage, or the cause of a failure with {@link BackendFailure.Outcome#UNKNOWN}.
 */
public interface LockBackend extends AutoCloseable {
    /** The most renewals in one call: they keep a server busy for well below a millisecond. */
    int MOST_RENEWED_AT_ONCE = 100;

    /**
     * Returns the promises of this backend.
     *
     * @return the capabilities, the same for the backend's whole life once it is connected
     */
    Capabilities capabilities();

    /**
     * Requests the lock. Idempotent per holder: a repeated request is the same attempt, confirms a grant with the same token, and never
     * shortens its life.
     *
     * <p>A claim is granted when its weight and those of the live holders are at most the capacity, and no live holder waits before it.
     * Holders and waiters of one name all have the same capacity: an attempt with another one fails with
     * {@link BackendFailure.Kind#OTHER_KIND}, and leaves nothing behind.
     *
     * <p>A refusal because of a holder that {@linkplain Claim#keeps keeps} recalls that holder's grant: its client receives {@link
     * Signal#WANTED}, and the answer is a recalled {@link Attempt.Busy}. A recall may name a holder that its client no longer has, such as
     * that of a late grant. The answer is a {@link #release} of this holder: by the engine if the holder's listener is still there, else by
     * the backend itself.
     *
     * @param claim the request; its share is exclusive unless {@link Capabilities#shares} is declared
     * @param signals receives the signals of this holder until its {@link #release}; the latest listener counts
     * @return the server's answer
     */
    CompletionStage<Attempt> acquire(Claim claim, SignalListener signals);

    /**
     * Releases one grant and requests another in its place, in one flight where the backend can. By default two calls.
     *
     * @param from the grant to release
     * @param to the next request, for the same name, ready to wait or not; its holder was never sent to the backend before. Claims that
     *     wait on the server already are served first
     * @param signals as in {@link #acquire}
     * @return the finding of the release, and the server's answer to {@code to}
     */
    default Transfer transfer(Grant from, Claim to, SignalListener signals) {
        CompletionStage<Released> released = release(from.claim());
        return new Transfer(released, released.thenCompose(found -> acquire(to, signals)));
    }

    /**
     * Confirms and prolongs grants, each by its claim's lease.
     *
     * <p>A claim that weighs less than the server's grant lowers it to that weight, so that others may enter. It never raises a grant,
     * because a late renewal from before the lowering would undo it. In the same way a claim that does not {@linkplain Claim#keeps keep}
     * ends recalls of the grant, and no later claim allows them again. The prolongation comes first: the answer for a lost grant is "lost",
     * whatever its claim says.
     *
     * @param held at least one grant, at most {@link #MOST_RENEWED_AT_ONCE}
     * @return one outcome for each grant, in the same order
     */
    CompletionStage<List<Renewal>> renew(List<Grant> held);

    /**
     * Ends all that the claim's holder has: a grant, a place in the queue, or an attempt whose outcome is unknown. Idempotent. After the
     * answer, a late acquire of this holder is not granted without limit: at the latest the end of its lease or session frees it.
     *
     * @param claim the latest request. Only its name and its holder count
     * @return the finding: held or not
     */
    CompletionStage<Released> release(Claim claim);

    /**
     * Ends a grant for its holder, and leaves the lock taken without a holder: for the claim's lease from now on and no longer, whatever
     * time the grant had left. A late request of this holder, a renewal too, prolongs nothing. Waiters are served when that time is over.
     * Only called if {@link Capabilities#retains} is declared, for an exclusive lock.
     *
     * @param claim of the grant, with the time that the lock stays taken as its lease; at least one millisecond
     * @return the finding: held or not. If the lock was not held, nothing was changed
     */
    default CompletionStage<Released> retain(Claim claim) {
        return CompletableFuture.failedStage(new BackendFailure(
                BackendFailure.Kind.INCOMPATIBLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "this backend can't leave lock '" + claim.name() + "' taken",
                null));
    }

    /**
     * Returns the operation that raises tokens above a number.
     *
     * @return empty, the default, if the backend does not offer it
     */
    default Optional<TokenFloor> tokenFloor() {
        return Optional.empty();
    }

    /**
     * Returns the operation that sends several requests together, such as those for several locks of one caller.
     *
     * @return empty, the default, if each request blocks the calling thread: the engine then makes them on several threads
     */
    default Optional<RequestCombiner> combiner() {
        return Optional.empty();
    }

    /**
     * Returns the operations that show locks to operators. A backend with one declares {@link Capabilities#inspects}.
     *
     * @return empty, the default, if the backend does not offer them
     */
    default Optional<Inspector> inspector() {
        return Optional.empty();
    }

    /** Ends all connections. Grants that are still held end with their lease or session. Idempotent. */
    @Override
    void close();
}
