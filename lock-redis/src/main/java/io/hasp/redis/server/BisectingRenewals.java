package io.hasp.redis.server;

import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Prolongs grants, all of them in one call. A server refuses the whole call for one key that its user may not touch, or for keys that are at
 * two masters because their slot is being moved; so the call is halved until that grant is alone, and the others are prolonged.
 *
 * @param server in words
 * @param timing the clock
 * @param call asks for some grants; fails with {@link RedisFailures#ofOneKey} or {@link RedisFailures#ofMovingSlot} where halves may
 *     fare better
 */
public record BisectingRenewals(
        String server, Timing timing, Function<List<Grant>, CompletionStage<List<Renewal>>> call) {
    /** No new halves after this time: the caller must not wait for many round trips to a slow server. */
    private static final Duration HALVES_FOR = Duration.ofSeconds(1);

    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        return renew(held, timing.nanoTime());
    }

    /** Prolongs grants that can't be in one call; after an outage the second is not made. */
    public CompletionStage<List<Renewal>> renew(List<Grant> first, List<Grant> second) {
        return inTurn(first, second, timing.nanoTime());
    }

    private CompletionStage<List<Renewal>> renew(List<Grant> held, long began) {
        return call.apply(held)
                .handle((renewals, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(renewals);
                    }
                    boolean late = timing.nanoTime() - began > HALVES_FOR.toNanos();
                    return held.size() > 1 && !late && ofSomeGrants(failure)
                            ? inTurn(
                                    held.subList(0, held.size() / 2), held.subList(held.size() / 2, held.size()), began)
                            : CompletableFuture.completedStage(
                                    unknown(held.size(), RedisFailures.of(server, "renewal", failure)));
                })
                .thenCompose(Function.identity());
    }

    private static boolean ofSomeGrants(Throwable failure) {
        return RedisFailures.ofOneKey(failure) || RedisFailures.ofMovingSlot(failure);
    }

    private CompletionStage<List<Renewal>> inTurn(List<Grant> first, List<Grant> second, long began) {
        return renew(first, began).thenCompose(answered -> {
            Optional<BackendFailure> outage = outage(answered);
            CompletionStage<List<Renewal>> others = outage.isPresent()
                    ? CompletableFuture.completedStage(unknown(second.size(), outage.get()))
                    : renew(second, began);
            return others.thenApply(
                    rest -> Stream.concat(answered.stream(), rest.stream()).toList());
        });
    }

    /** Why the next call would fail, too. */
    static Optional<BackendFailure> outage(List<Renewal> renewals) {
        return renewals.stream()
                .filter(Renewal.Unknown.class::isInstance)
                .map(renewal -> ((Renewal.Unknown) renewal).why())
                .filter(why -> why.kind() == BackendFailure.Kind.UNAVAILABLE)
                .findFirst();
    }

    private static List<Renewal> unknown(int grants, BackendFailure why) {
        return Collections.nCopies(grants, new Renewal.Unknown(why));
    }
}
