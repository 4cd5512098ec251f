package io.hasp.redis.server;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerLease;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Releases holders on one server, and forgets them: a holder is never requested again after its first release. Thread-safe. */
public record ServerReleases(RedisConnection connection, ScriptRunner scripts, LockKeys keys, HolderRegistry holders) {
    /** More waiters than one script serves. */
    private static final String MORE = "+";

    private static final int MOST_RELEASES = 100;

    public CompletionStage<Released> release(Claim claim) {
        return release(claim, new AtomicBoolean());
    }

    /** Releases a holder that may be asked for again, and fails if a request of this release may still arrive then. */
    public CompletionStage<Released> giveBack(Claim claim) {
        AtomicBoolean twice = new AtomicBoolean();
        return release(claim, twice).thenApply(released -> {
            if (twice.get()) {
                throw RedisFailures.lostReleaseReply(connection.server());
            }
            return released;
        });
    }

    private CompletionStage<Released> release(Claim claim, AtomicBoolean twice) {
        HolderId holder = claim.holder();
        boolean tombstone = holders.mayStillArrive(holder);
        LockScript script = script(claim);
        return answered(
                claim,
                release(script, keys.lock(claim.name()), holder.value(), tombstone, () -> twice.set(true)),
                twice);
    }

    /** Leaves an exclusive lock taken for the lease of the claim. */
    public CompletionStage<Released> retain(Claim claim) {
        HolderId holder = claim.holder();
        boolean tombstone = holders.mayStillArrive(holder);
        AtomicBoolean twice = new AtomicBoolean();
        List<String> request =
                List.of(holder.value(), Long.toString(ServerLease.of(claim).toMillis()), tombstone ? "1" : "0");
        List<String> all = LockKeys.of(keys.lock(claim.name()), holder.value());
        return answered(claim, scripts.run(LockScript.RETAIN, all, request, () -> twice.set(true)), twice);
    }

    private CompletionStage<Released> answered(Claim claim, CompletionStage<String> reply, AtomicBoolean twice) {
        return reply.handle((text, failure) -> {
            if (failure != null) {
                // The engine may give up now. If it repeats the release, the unknown holder gets a tombstone.
                holders.forget(claim.holder());
                throw RedisFailures.of(connection.server(), "release of '" + claim.name() + "'", failure);
            }
            return outcome(claim.holder(), text, twice.get());
        });
    }

    /** No caller will release this holder. The tombstone makes a request of it that arrives late get GONE. */
    public void releaseWithTombstone(Claim claim) {
        release(claim);
        holders.forget(claim.holder());
    }

    /**
     * Ends a grant of any client, for an operator. Its kind is not known, so both kinds are tried.
     *
     * @return true if the holder had it with this token
     */
    public CompletionStage<Boolean> remove(LockName name, HolderId holder, long token) {
        String lock = keys.lock(name);
        return remove(LockScript.REMOVE, LockScript.RELEASE, lock, holder.value(), token)
                .thenCompose(removed -> removed
                        ? CompletableFuture.completedStage(true)
                        : remove(LockScript.SHARED_REMOVE, LockScript.SHARED_RELEASE, lock, holder.value(), token))
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        RedisFailures.of(connection.server(), "removal of a holder of '" + name + "'", failure)));
    }

    /** The holder gets a tombstone, since its client may repeat the request. */
    private CompletionStage<Boolean> remove(
            LockScript remove, LockScript release, String lock, String holder, long token) {
        List<String> all = LockKeys.of(lock, holder);
        AtomicBoolean twice = new AtomicBoolean();
        return scripts.run(remove, all, List.of(holder, "1", Long.toString(token)), () -> twice.set(true))
                .thenCompose(reply -> reply.endsWith(MORE)
                        ? serving(release, all, List.of(holder, "1"), reply, 1).handle((rest, failure) -> reply)
                        : CompletableFuture.completedStage(reply))
                .thenApply(reply -> {
                    boolean removed = reply.startsWith(Released.RELEASED.name());
                    if (!removed && twice.get()) {
                        throw RedisFailures.silent(
                                connection.server(), new SocketException("the connection ended before the answer"));
                    }
                    return removed;
                });
    }

    /** Gives back an exclusive lock of a holder that this client has released. */
    public void giveBackExclusive(String lock, String holder) {
        release(LockScript.RELEASE, lock, holder, true, () -> {});
    }

    /** Releases a direct grant to a holder that this client has released. The kind of the lock is forgotten, so both kinds are tried. */
    public void giveBack(String lock, String holder) {
        release(LockScript.RELEASE, lock, holder, true, () -> {})
                .thenCompose(reply -> reply.startsWith(Released.NOT_HELD.name())
                        ? release(LockScript.SHARED_RELEASE, lock, holder, true, () -> {})
                        : CompletableFuture.completedStage(reply));
    }

    /**
     * The outcome of a server's reply to a release.
     *
     * @param twice whether the release was sent twice: NOT_HELD may then be the effect of the first
     */
    public Released outcome(HolderId holder, String reply, boolean twice) {
        Released released = Released.valueOf(reply.endsWith(MORE) ? reply.substring(0, reply.length() - 1) : reply);
        if (twice && released == Released.NOT_HELD) {
            throw RedisFailures.lostReleaseReply(connection.server());
        }
        holders.forget(holder);
        return released;
    }

    private static LockScript script(Claim claim) {
        return claim.share().isExclusive() ? LockScript.RELEASE : LockScript.SHARED_RELEASE;
    }

    private CompletionStage<String> release(
            LockScript script, String lock, String holder, boolean tombstone, Runnable onResend) {
        List<String> keys = LockKeys.of(lock, holder);
        List<String> request = List.of(holder, tombstone ? "1" : "0");
        return scripts.run(script, keys, request, onResend)
                .thenCompose(first -> first.endsWith(MORE)
                        ? serving(script, keys, request, first, 1).handle((rest, failure) -> first)
                        : CompletableFuture.completedStage(first));
    }

    /** Releases again, to serve the waiters that are left. Waiters that this does not serve find their turn by a poll. */
    private CompletionStage<String> serving(
            LockScript script, List<String> keys, List<String> request, String reply, int released) {
        return !reply.endsWith(MORE) || released == MOST_RELEASES
                ? CompletableFuture.completedStage(reply)
                : scripts.run(script, keys, request)
                        .thenCompose(next -> serving(script, keys, request, next, released + 1));
    }
}
