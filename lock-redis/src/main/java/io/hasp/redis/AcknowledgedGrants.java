package io.hasp.redis;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.server.Acknowledgements;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.ServerReleases;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Grants that count only once replicas have received them, direct grants included. Any other grant is released, and its attempt fails.
 * Thread-safe.
 */
final class AcknowledgedGrants {
    private final Acknowledgement wanted;
    private final RedisConnection connection;
    private final ServerReleases releases;
    private final Executor executor;
    private final Acknowledgements acknowledgements;
    /** Given back, and that release may still arrive: it would end what such a holder is granted later. */
    private final Set<HolderId> uncertain = ConcurrentHashMap.newKeySet();

    AcknowledgedGrants(
            Acknowledgement wanted,
            RedisConnection connection,
            LockKeys keys,
            ServerReleases releases,
            Executor executor) {
        this.wanted = wanted;
        this.connection = connection;
        this.releases = releases;
        this.executor = executor;
        this.acknowledgements = new Acknowledgements(connection, keys, wanted.replicas(), wanted.within());
    }

    /**
     * Before a holder is asked for. If a release of it may still arrive, it is released for good, and another one has to be asked for
     * instead.
     */
    Optional<CompletionStage<Attempt>> instead(Claim claim) {
        if (!uncertain.contains(claim.holder())) {
            return Optional.empty();
        }
        return Optional.of(releases.release(claim).handle((released, failure) -> {
            if (failure != null) {
                throw RedisFailures.maybeApplied(
                        RedisFailures.of(connection.server(), "release of '" + claim.name() + "'", failure));
            }
            uncertain.remove(claim.holder());
            return new Attempt.Gone();
        }));
    }

    void over(HolderId holder) {
        uncertain.remove(holder);
    }

    /** Anything but a grant is true as it is. */
    CompletionStage<Attempt> confirm(Attempt attempt) {
        if (!(attempt instanceof Attempt.Granted granted)) {
            return CompletableFuture.completedStage(attempt);
        }
        Grant grant = granted.grant();
        String name = "'" + grant.claim().name() + "'";
        return acknowledgements
                .confirm(grant)
                .handle((answer, failure) -> {
                    if (failure != null) {
                        // The grant may be there: the engine asks again, or releases it.
                        throw RedisFailures.maybeApplied(
                                RedisFailures.of(connection.server(), "acknowledgement of " + name, failure));
                    }
                    if (!answer.held()) {
                        // The holder has to be released: a copy of its request may still arrive.
                        throw failure(
                                Outcome.UNKNOWN,
                                connection.server() + " lost the grant of " + name
                                        + " before replicas acknowledged it");
                    }
                    return answer.replicas() >= wanted.replicas()
                            ? CompletableFuture.completedStage(prolonged(granted))
                            : givenBack(grant.claim(), answer.replicas());
                })
                .thenCompose(Function.identity());
    }

    /** The confirmation has prolonged a direct grant, whose claim may be over by now. */
    private static Attempt prolonged(Attempt.Granted granted) {
        Claim claim = granted.grant().claim();
        Grant whole = Grant.of(claim, granted.grant().token(), ServerLease.of(claim));
        return new Attempt.Granted(whole, granted.recallable());
    }

    /** Not on the thread that waits for replicas: a release may block. */
    private CompletionStage<Attempt> givenBack(Claim claim, long replicas) {
        String why = replicas + " of " + wanted.replicas() + " replicas of " + connection.server()
                + " acknowledged the grant of '" + claim.name() + "' within "
                + wanted.within().toMillis() + " ms (acknowledge): it was given back";
        CompletionStage<Released> release;
        try {
            release = CompletableFuture.supplyAsync(() -> releases.giveBack(claim), executor)
                    .thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedStage(failure(Outcome.UNKNOWN, why)); // The client is closed.
        }
        return release.handle((released, failure) -> {
            if (failure != null) {
                uncertain.add(claim.holder());
            }
            throw failure(failure == null ? Outcome.NOT_APPLIED : Outcome.UNKNOWN, why);
        });
    }

    private static BackendFailure failure(Outcome outcome, String message) {
        return new BackendFailure(Kind.UNAVAILABLE, outcome, message, null);
    }
}
