package io.hasp.engine.guard;

import io.hasp.engine.guard.Outages.Call;
import io.hasp.engine.threads.Failures;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.RequestCombiner;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Guards the engine against faults of a backend: an exception, a null answer or an answer that does not fit becomes a failed stage.
 * Otherwise a backend's bug would end the step that wakes the next contender, and with it the queue, or the renewals. The log records
 * answered calls before the engine acts on the answer.
 *
 * <p>It checks the engine as well: a claim whose holder the backend may know is never the target of a transfer.
 */
public final class GuardedBackend implements LockBackend {
    private final LockBackend backend;
    private final Outages outages;
    private final @Nullable OtherKindRetry otherKinds;
    /** Holders that were ready to wait, and have not been granted, released or refused for good since. */
    private final Set<HolderId> asked = ConcurrentHashMap.newKeySet();

    /**
     * A guard in front of a backend.
     *
     * @param otherKinds repeats requests that the client's own use of a name as another kind refuses; null if the client keeps no locks
     */
    public GuardedBackend(LockBackend backend, Outages outages, @Nullable OtherKindRetry otherKinds) {
        this.backend = backend;
        this.outages = outages;
        this.otherKinds = otherKinds;
    }

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor().map(floor -> (name, least) -> Answers.guarded(() -> floor.raise(name, least)));
    }

    @Override
    public Optional<RequestCombiner> combiner() {
        return backend.combiner();
    }

    @Override
    public Optional<Inspector> inspector() {
        return capabilities().inspects() ? backend.inspector().map(GuardedInspector::new) : Optional.empty();
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        CompletionStage<Attempt> answer = Answers.checked(Answers.guarded(() -> ask(claim, signals)), claim);
        return watched(Call.ACQUIRE, claim.queue() ? remembered(claim, answer) : answer);
    }

    private CompletionStage<Attempt> ask(Claim claim, SignalListener signals) {
        return otherKinds == null
                ? backend.acquire(claim, signals)
                : otherKinds.acquire(claim, () -> backend.acquire(claim, signals));
    }

    /** A granted lock leaves no trace here, whether it is granted at once, as usual, or after a wait. */
    private CompletionStage<Attempt> remembered(Claim claim, CompletionStage<Attempt> answer) {
        if (Answers.present(answer) instanceof Attempt.Granted) {
            asked.remove(claim.holder());
            return answer;
        }
        asked.add(claim.holder());
        return answer.whenComplete((attempt, failure) -> {
            boolean neverArrived = failure != null
                    && Failures.causeOf(failure) instanceof BackendFailure known
                    && known.outcome() == BackendFailure.Outcome.NOT_APPLIED;
            if (neverArrived || attempt instanceof Attempt.Granted || attempt instanceof Attempt.Gone) {
                asked.remove(claim.holder());
            }
        });
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        Transfer answers = checkedTransfer(from, to, signals);
        return new Transfer(watched(Call.RELEASE, answers.released()), watched(Call.ACQUIRE, answers.attempt()));
    }

    private Transfer checkedTransfer(Grant from, Claim to, SignalListener signals) {
        if (asked.contains(to.holder())) {
            return Transfer.failed(new IllegalStateException(
                    "holder " + to.holder() + " was sent before: a transfer would queue it twice"));
        }
        try {
            Transfer answers = backend.transfer(from, to, signals);
            return new Transfer(
                    Answers.checked(answers.released()), remembered(to, Answers.checked(answers.attempt(), to)));
        } catch (Throwable e) {
            return Transfer.failed(e);
        }
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return Answers.guarded(() -> backend.renew(held))
                .thenApply(renewals -> Answers.fitting(renewals, held.size()))
                .whenComplete((renewals, thrown) ->
                        outages.ended(Call.RENEW, thrown != null ? thrown : Answers.firstDoubt(renewals)));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        asked.remove(claim.holder());
        return watched(Call.RELEASE, Answers.checked(Answers.guarded(() -> backend.release(claim))));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        asked.remove(claim.holder());
        return watched(Call.RELEASE, Answers.checked(Answers.guarded(() -> backend.retain(claim))));
    }

    /** Adds no stage if the answer is there, as it is after a blocking call. */
    private <T> CompletionStage<T> watched(Call call, CompletionStage<T> answer) {
        if (Answers.present(answer) != null) {
            outages.ended(call, null);
            return answer;
        }
        return answer.whenComplete((any, thrown) -> outages.ended(call, thrown));
    }

    @Override
    public void close() {
        backend.close();
    }
}
