package io.hasp.redis;

import io.hasp.redis.holder.GrantMessage;
import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockReply;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.script.StoredLabel;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.redis.server.ServerReleases;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends the scripts that request a lock, {@code acquire.lua} and {@code transfer.lua}, and handles their replies. Thread-safe. */
final class AcquireRequests {
    private final RedisConnection connection;
    private final ScriptRunner scripts;
    private final LockKeys keys;
    private final HolderRegistry holders;
    private final ServerReleases releases;
    private final Subscription subscription;
    private final String channel;
    /** The mark of {@code mark.lua}, before a label. */
    private final String mark;

    AcquireRequests(
            CheckedConnection checked, HolderRegistry holders, ServerReleases releases, Subscription subscription) {
        this.connection = checked.connection();
        this.scripts = checked.scripts();
        this.keys = checked.keys();
        this.holders = holders;
        this.releases = releases;
        this.subscription = subscription;
        this.channel = checked.channel();
        this.mark = "^" + channel + "^";
    }

    CompletionStage<Attempt> acquire(Claim claim, SignalListener signals, long sentAt) {
        HolderState mine = holders.requesting(claim, signals);
        String lock = keys.lock(claim.name());
        boolean marked = mayMark(claim, lock, mine);
        List<String> first = request(claim, lock, marked);
        List<String> request = mine.ticket().isEmpty() ? first : with(first, mine.ticket());
        LockScript script = claim.share().isExclusive() ? LockScript.ACQUIRE : LockScript.SHARED_ACQUIRE;
        return scripts.run(script, LockKeys.of(lock, claim.holder().value()), request, () -> mine.asked(signals))
                .handle((reply, failure) -> {
                    if (failure != null) {
                        throw failed(claim, mine, failure);
                    }
                    return answered(claim, marked, mine, sentAt, reply);
                });
    }

    Transfer transfer(HolderId giver, Claim to, SignalListener signals, long sentAt) {
        HolderState mine = holders.requesting(to, signals);
        String lock = keys.lock(to.name());
        boolean marked = mayMark(to, lock, mine);
        List<String> request = with(request(to, lock, marked), giver.value());
        AtomicBoolean twice = new AtomicBoolean();
        CompletionStage<String> reply =
                scripts.run(LockScript.TRANSFER, LockKeys.of(lock, to.holder().value()), request, () -> {
                    mine.asked(signals);
                    twice.set(true);
                });
        CompletionStage<Released> released = reply.handle((text, failure) -> {
            if (failure != null) {
                throw RedisFailures.of(connection.server(), "release of '" + to.name() + "'", failure);
            }
            return releases.outcome(giver, text.substring(0, text.indexOf('|')), twice.get());
        });
        CompletionStage<Attempt> attempt = reply.handle((text, failure) -> {
            if (failure != null) {
                throw failed(to, mine, failure);
            }
            return answered(to, marked, mine, sentAt, text.substring(text.indexOf('|') + 1));
        });
        return new Transfer(released, attempt);
    }

    /** Registers first, then checks the channel, so that no later disconnect is missed. */
    private boolean mayMark(Claim claim, String lock, HolderState registered) {
        if (claim.keeps()) {
            registered.keeps();
        }
        return claim.keeps() && subscription.live(lock);
    }

    private List<String> request(Claim claim, String lock, boolean marked) {
        String label = StoredLabel.of(claim.label());
        List<String> request = List.of(
                claim.holder().value(),
                Long.toString(ServerLease.of(claim).toMillis()),
                claim.queue() ? "1" : "0",
                claim.queue() && subscription.live(lock) ? channel : "",
                marked ? mark + label : label);
        Share share = claim.share();
        return share.isExclusive()
                ? request
                : with(request, Integer.toString(share.weight()), Integer.toString(share.capacity()));
    }

    private static List<String> with(List<String> request, String... last) {
        List<String> longer = new ArrayList<>(request);
        longer.addAll(List.of(last));
        return longer;
    }

    private Attempt answered(Claim claim, boolean marked, HolderState mine, long sentAt, String reply) {
        mine.answered();
        LockReply said = LockReply.parse(reply);
        if (said instanceof LockReply.Granted granted) {
            Grant grant = Grant.of(claim, granted.token(), ServerLease.of(claim));
            return new Attempt.Granted(grant, marked && !granted.unmarked());
        }
        if (said instanceof LockReply.Busy busy) {
            mine.queued(busy.ticket());
            if (busy.deaf()) {
                subscription.listenAgain(keys.lock(claim.name()));
            }
            busy.newestToken().ifPresent(token -> mine.refused(new GrantMessage.Refusal(sentAt, token)));
            forgetUnlessKnown(claim, mine);
            if (!claim.queue() && mine.mayStillArrive()) {
                // It may try again, but as another holder: this release may come late, behind a grant.
                releases.releaseWithTombstone(claim);
                return new Attempt.Gone();
            }
            return new Attempt.Busy(busy.untilPoll(), busy.recalled());
        }
        if (mine.mayStillArrive()) {
            releases.releaseWithTombstone(claim);
        } else {
            holders.forget(claim.holder());
        }
        return new Attempt.Gone();
    }

    private BackendFailure failed(Claim claim, HolderState mine, Throwable thrown) {
        BackendFailure failure = RedisFailures.of(connection.server(), "acquire of '" + claim.name() + "'", thrown);
        if (failure.outcome() == BackendFailure.Outcome.NOT_APPLIED) {
            mine.answered();
            forgetUnlessKnown(claim, mine);
        }
        return failure;
    }

    /** Nothing of this holder is on the server, nor on its way. */
    private void forgetUnlessKnown(Claim claim, HolderState mine) {
        if (mine.ticket().isEmpty() && !mine.mayStillArrive()) {
            holders.forget(claim.holder());
        }
    }
}
