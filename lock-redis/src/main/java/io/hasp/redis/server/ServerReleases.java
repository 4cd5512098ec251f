package io.hasp.redis.server;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Releases holders on one server, and forgets those that the server has released. Thread-safe. */
public record ServerReleases(RedisConnection connection, ScriptRunner scripts, LockKeys keys, HolderRegistry holders) {

    public CompletionStage<Released> release(Claim claim) {
        HolderId holder = claim.holder();
        boolean tombstone = holders.mayStillArrive(holder) || connection.mayReplay();
        AtomicBoolean twice = new AtomicBoolean();
        return release(keys.lock(claim.name()), holder.value(), tombstone, () -> twice.set(true))
                .handle((reply, failure) -> {
                    if (failure != null) {
                        throw RedisFailures.of(connection.server(), "release of '" + claim.name() + "'", failure);
                    }
                    return outcome(holder, reply, twice.get());
                });
    }

    /** No caller will release this holder. The tombstone makes a request of it that arrives late get GONE. */
    public void releaseWithTombstone(Claim claim) {
        release(claim);
        holders.forget(claim.holder());
    }

    /** Gives back a direct grant to a holder that this client has released. */
    public void giveBack(String lock, String holder) {
        release(lock, holder, true, () -> {});
    }

    /**
     * What the server replied to a release.
     *
     * @param twice whether it was sent twice: then NOT_HELD may be the effect of the first
     */
    public Released outcome(HolderId holder, String reply, boolean twice) {
        Released released = Released.valueOf(reply);
        if (twice && released == Released.NOT_HELD) {
            throw RedisFailures.lostReleaseReply(connection.server());
        }
        holders.forget(holder);
        return released;
    }

    private CompletionStage<String> release(String lock, String holder, boolean tombstone, Runnable onResend) {
        return scripts.run(
                LockScript.RELEASE, LockKeys.of(lock, holder), List.of(holder, tombstone ? "1" : "0"), onResend);
    }
}
