package io.hasp.engine.guard;

import static java.util.Objects.requireNonNull;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks that a backend's answers fit the questions. */
public final class Answers {
    private Answers() {}

    /** The stage of a call; a failed one if the call throws or returns none. */
    static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return requireNonNull(call.get(), "the backend answered with no stage");
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static CompletionStage<Attempt> checked(CompletionStage<Attempt> answer, Claim claim) {
        return checked(answer, attempt -> check(attempt, claim));
    }

    static CompletionStage<Released> checked(CompletionStage<Released> answer) {
        return checked(answer, released -> requireNonNull(released, "no answer"));
    }

    /** One renewal per grant. An impossible renewal counts as unknown. */
    static List<Renewal> fitting(@Nullable List<Renewal> renewals, int grants) {
        if (renewals == null || renewals.size() != grants) {
            throw new IllegalStateException("for " + grants + " grants the backend answered " + renewals);
        }
        boolean fit = true;
        for (Renewal renewal : renewals) {
            fit &= fits(renewal);
        }
        return fit
                ? renewals
                : renewals.stream()
                        .map(renewal -> fits(renewal) ? renewal : impossible(renewal))
                        .toList();
    }

    /** Null if every renewal is known. */
    static @Nullable BackendFailure firstDoubt(List<Renewal> renewals) {
        return renewals.stream()
                .filter(Renewal.Unknown.class::isInstance)
                .map(unknown -> ((Renewal.Unknown) unknown).why())
                .findFirst()
                .orElse(null);
    }

    /** The answer if it is there already. A stage of a class outside the JDK cannot be read. */
    public static <T> @Nullable T present(CompletionStage<T> answer) {
        if (answer.getClass() != CompletableFuture.class) {
            return null;
        }
        CompletableFuture<T> stage = answer.toCompletableFuture();
        return stage.isDone() && !stage.isCompletedExceptionally() ? stage.join() : null;
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

    /** Adds no stage if the answer is there and fits. */
    private static <T> CompletionStage<T> checked(CompletionStage<T> answer, Consumer<T> check) {
        T present = present(answer);
        if (present == null) {
            return answer.thenApply(value -> {
                check.accept(value);
                return value;
            });
        }
        try {
            check.accept(present);
            return answer;
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
