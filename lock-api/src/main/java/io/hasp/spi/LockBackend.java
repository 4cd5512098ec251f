package io.hasp.spi;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A lock service, reduced to what the engine needs of it. Thread-safe.
 *
 * <p>A stage may complete on the calling thread (a blocking client library) or on a thread of the library's; what the
 * engine chains to it is short and never blocks. Every stage completes within the backend's own command timeout, and if
 * it fails, it fails with a {@link BackendFailure}. A method itself never throws. The engine takes an exception for an outage of that
 * call. An {@link Error} ends the client: one that is thrown, that a stage fails with, or that is the cause of a failure with
 * {@link BackendFailure.Outcome#UNKNOWN}.
 */
public interface LockBackend extends AutoCloseable {
    /** The engine asks for no more renewals than this at once: a server is busy with them for well below a millisecond. */
    int MOST_RENEWED_AT_ONCE = 100;

    /**
     * What this backend promises.
     *
     * @return the capabilities, the same for the backend's whole life once it is connected
     */
    Capabilities capabilities();

    /**
     * Asks for the lock. Idempotent per holder: asking again is the same attempt, confirms a grant with the same token,
     * and never shortens its life.
     *
     * <p>A claim is granted when its weight and those of the live holders are at most the capacity, and nobody who is alive waits
     * before it. Holders and waiters of one name all have the same capacity: an attempt with another one fails with
     * {@link BackendFailure.Kind#OTHER_KIND}, and nothing of it is left.
     *
     * <p>A claim that is refused because of a holder which {@linkplain Claim#keeps keeps} recalls that holder's grant: its client is
     * told {@link Signal#WANTED}, and the answer is a recalled {@link Attempt.Busy}. A recall of a holder that its client does not know
     * any more, such as a late grant, is answered by its {@link #release}: by the engine, if the holder's listener is still there, else
     * by the backend itself.
     *
     * @param claim what is asked; its share is exclusive unless {@link Capabilities#shares} is declared
     * @param signals told about this holder from now until {@link #release} of it; the latest listener counts
     * @return the server's answer
     */
    CompletionStage<Attempt> acquire(Claim claim, SignalListener signals);

    /**
     * Gives one grant up and asks for another in its place: release, then acquire, in one flight where the backend can.
     *
     * @param from the grant to give up
     * @param to what is asked next, for the same name, ready to wait or not; its holder was never sent to the backend before.
     *     Others that waited on the server before it are served first
     * @param signals as in {@link #acquire}
     * @return what the release finds, and the server's answer to {@code to}
     */
    default Transfer transfer(Grant from, Claim to, SignalListener signals) {
        CompletionStage<Released> released = release(from.claim());
        return new Transfer(released, released.thenCompose(found -> acquire(to, signals)));
    }

    /**
     * Confirms and prolongs grants, each by its claim's lease. A grant whose claim weighs less than what the server has is lowered
     * to that weight, so that others may enter; it is never raised, since a late renewal from before would do so.
     * In the same way a grant whose claim does not {@linkplain Claim#keeps keep} is one that nobody recalls any more, and never
     * becomes one again. The prolongation comes first: a grant that is lost is answered so, whatever its claim says.
     *
     * @param held at least one grant, at most {@link #MOST_RENEWED_AT_ONCE}
     * @return one outcome for each grant, in the same order
     */
    CompletionStage<List<Renewal>> renew(List<Grant> held);

    /**
     * Ends whatever the claim's holder has: a grant, a place in the queue, or an attempt whose outcome is unknown. Idempotent.
     * After it was answered, a late acquire of this holder is not granted for good: at the latest the end of its lease or
     * session frees it.
     *
     * @param claim as it was asked last. Its name and its holder say what ends; nothing else of it is compared
     * @return whether it was held
     */
    CompletionStage<Released> release(Claim claim);

    /**
     * Ends a grant for its holder, and leaves the lock taken for nobody: for the claim's lease from now on and no longer, whatever was
     * left of the grant. A late request of this holder, a renewal too, prolongs nothing. Those who wait are served when that time is
     * over. Only called if {@link Capabilities#retains} is declared, for an exclusive lock.
     *
     * @param claim of the grant, its lease being for how long the lock stays taken; at least one millisecond
     * @return whether it was held; if not, nothing was changed
     */
    default CompletionStage<Released> retain(Claim claim) {
        return CompletableFuture.failedStage(new BackendFailure(
                BackendFailure.Kind.INCOMPATIBLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "this backend can't leave lock '" + claim.name() + "' taken",
                null));
    }

    /**
     * How tokens can be made to start above a number.
     *
     * @return empty, the default, if the backend does not offer it
     */
    default Optional<TokenFloor> tokenFloor() {
        return Optional.empty();
    }

    /** Ends all connections. Grants that are still held end with their lease or session. Idempotent. */
    @Override
    void close();
}
