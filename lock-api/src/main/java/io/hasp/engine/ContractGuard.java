package io.hasp.engine;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A backend as the engine sees it: whatever it throws is a failed stage, and so is an answer that is null, or does not fit the
 * question. Without this a backend's bug (or a class that it misses) would end the step that was to wake the next contender,
 * and with it the queue, or the watchdog.
 *
 * <p>It holds the engine to its side as well: a claim whose holder the backend may know is never the target of a transfer.
 */
final class ContractGuard implements LockBackend {
    private final LockBackend backend;
    /** The holders that were ready to wait, and were not granted, released or refused for good since. */
    private final Set<HolderId> asked = ConcurrentHashMap.newKeySet();

    ContractGuard(LockBackend backend) {
        this.backend = backend;
    }

    @Override
    public Capabilities capabilities() {
        return backend.capabilities();
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return backend.tokenFloor().map(floor -> (name, least) -> guarded(() -> floor.raise(name, least)));
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        CompletionStage<Attempt> answer = checked(guarded(() -> backend.acquire(claim, signals)), claim);
        return claim.queue() ? remembered(claim, answer) : answer;
    }

    /** A lock that is granted, at once as most are or after a wait, leaves no trace here. */
    private CompletionStage<Attempt> remembered(Claim claim, CompletionStage<Attempt> answer) {
        if (present(answer) instanceof Attempt.Granted) {
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
        if (asked.contains(to.holder())) {
            return Transfer.failed(new IllegalStateException(
                    "holder " + to.holder() + " was sent before: a transfer would queue it twice"));
        }
        try {
            Transfer answers = backend.transfer(from, to, signals);
            return new Transfer(checked(answers.released()), remembered(to, checked(answers.attempt(), to)));
        } catch (Throwable e) {
            return Transfer.failed(e);
        }
    }

    private static CompletionStage<Attempt> checked(CompletionStage<Attempt> answer, Claim claim) {
        return checked(answer, attempt -> check(attempt, claim));
    }

    private static CompletionStage<Released> checked(CompletionStage<Released> answer) {
        return checked(answer, released -> requireNonNull(released, "no answer"));
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return guarded(() -> backend.renew(held)).thenApply(renewals -> {
            if (renewals == null || renewals.size() != held.size()) {
                throw new IllegalStateException("for " + held.size() + " grants the backend answered " + renewals);
            }
            List<Renewal> fitting = new ArrayList<>(renewals.size());
            renewals.forEach(renewal -> fitting.add(fits(renewal) ? renewal : impossible(renewal)));
            return fitting;
        });
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        asked.remove(claim.holder());
        return checked(guarded(() -> backend.release(claim)));
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        asked.remove(claim.holder());
        return checked(guarded(() -> backend.retain(claim)));
    }

    private static void check(Attempt attempt, Claim claim) {
        if (attempt instanceof Attempt.Granted granted) {
            Grant grant = granted.grant();
            boolean fits = grant != null
                    && grant.claim() != null
                    && claim.holder().equals(grant.claim().holder())
                    && claim.name().equals(grant.claim().name())
                    && claim.share().equals(grant.claim().share())
                    && grant.validity() != null
                    && (claim.keeps() || !granted.recallable());
            if (!fits) {
                throw new IllegalStateException("to " + claim + " the backend answered " + attempt);
            }
        } else if (attempt instanceof Attempt.Busy busy) {
            requireNonNull(busy.pollAfter(), "no time to poll after");
        }
        requireNonNull(attempt, "no answer");
    }

    private static boolean fits(Renewal renewal) {
        if (renewal instanceof Renewal.Renewed renewed) {
            return renewed.validity() != null;
        }
        return renewal instanceof Renewal.Lost lost
                ? lost.why() != null
                : renewal instanceof Renewal.Unknown unknown && unknown.why() != null;
    }

    private static Renewal impossible(Renewal renewal) {
        return new Renewal.Unknown(new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.UNKNOWN,
                "the backend answered a renewal with " + renewal,
                null));
    }

    /** Without another stage where the answer is there and fits. */
    private static <T> CompletionStage<T> checked(CompletionStage<T> answer, Consumer<T> check) {
        T present = present(answer);
        if (present != null) {
            return guarded(() -> {
                check.accept(present);
                return answer;
            });
        }
        return answer.thenApply(value -> {
            check.accept(value);
            return value;
        });
    }

    /** The answer if it is there already; a stage of another kind can't be looked at. */
    static <T> @Nullable T present(CompletionStage<T> answer) {
        if (answer.getClass() != CompletableFuture.class) {
            return null;
        }
        CompletableFuture<T> stage = answer.toCompletableFuture();
        return stage.isDone() && !stage.isCompletedExceptionally() ? stage.join() : null;
    }

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return requireNonNull(call.get(), "the backend answered with no stage");
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        backend.close();
    }
}
