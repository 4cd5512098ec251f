package io.hasp.postgres;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.LogQueue;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.SignalListener;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Makes the requests of one client, and keeps what it must know of its holders. Blocks; throws {@link BackendFailure}. Thread-safe. */
final class Requests {
    private final LockCalls calls;
    private final ClientHolders holders;
    private final Cleaning cleaning;
    private final Executor executor;
    private final Supplier<String> channel;

    /**
     * Creates the requests of a client.
     *
     * @param executor makes the calls that no caller waits for
     * @param channel the client's channel; empty while no message can arrive
     */
    Requests(LockCalls calls, ClientHolders holders, Cleaning cleaning, Executor executor, Supplier<String> channel) {
        this.executor = executor;
        this.calls = calls;
        this.holders = holders;
        this.cleaning = cleaning;
        this.channel = channel;
    }

    Optional<Attempt.Granted> directGrant(Claim claim, SignalListener signals, long now) {
        ClientHolder mine = holders.find(claim.holder());
        return mine == null ? Optional.empty() : mine.directGrant(claim, signals, now);
    }

    Attempt acquire(Claim claim, SignalListener signals, long sentAt) {
        ClientHolder mine = holders.requesting(claim, signals);
        // Registered first, so that no end of the channel is missed.
        String heard = channel.get();
        boolean keeps = claim.keeps() && !heard.isEmpty();
        LockCalls.Answer answer;
        try {
            answer = calls.acquire(claim, heard, keeps, mine.ticket(), mine::askedAgain);
        } catch (BackendFailure failure) {
            throw failed(claim, mine, failure);
        }
        return answered(claim, mine, sentAt, answer);
    }

    /** True if an acquire of this holder may arrive behind its release, which leaves a tombstone then. A transfer leaves none. */
    boolean mayStillArrive(Claim claim) {
        return holders.mayStillArrive(claim.holder());
    }

    Transfer transfer(Claim from, Claim to, SignalListener signals, long sentAt) {
        ClientHolder mine = holders.requesting(to, signals);
        String heard = channel.get();
        LockCalls.Transferred answer;
        AtomicBoolean twice = new AtomicBoolean();
        try {
            answer = calls.transfer(from, to, heard, to.keeps() && !heard.isEmpty(), () -> {
                mine.askedAgain();
                twice.set(true);
            });
        } catch (BackendFailure failure) {
            throw failed(to, mine, failure);
        }
        holders.forget(from.holder());
        cleaning.released();
        CompletionStage<Released> released = twice.get() && !answer.released()
                ? CompletableFuture.failedStage(
                        PostgresFailures.lostReply(calls.server(), "release of '" + from.name() + "'"))
                : CompletableFuture.completedStage(answer.released() ? Released.RELEASED : Released.NOT_HELD);
        CompletionStage<Attempt> attempt;
        try {
            attempt = CompletableFuture.completedStage(answered(to, mine, sentAt, answer.answer()));
        } catch (BackendFailure failure) {
            attempt = CompletableFuture.failedStage(failure);
        }
        return new Transfer(released, attempt);
    }

    private BackendFailure failed(Claim claim, ClientHolder mine, BackendFailure failure) {
        if (failure.outcome() == Outcome.NOT_APPLIED) {
            mine.answered();
            forgetUnlessKnown(claim, mine);
        }
        return failure;
    }

    private Attempt answered(Claim claim, ClientHolder mine, long sentAt, LockCalls.Answer answer) {
        mine.answered();
        if (answer.word().equals("GRANTED")) {
            Grant grant = Grant.of(claim, answer.token(), ServerLease.of(claim));
            return new Attempt.Granted(grant, claim.keeps() && answer.noted());
        }
        if (answer.word().equals("BUSY")) {
            return refused(claim, mine, sentAt, answer);
        }
        if (answer.word().equals("KIND")) {
            forgetUnlessKnown(claim, mine);
            throw new BackendFailure(
                    Kind.OTHER_KIND,
                    Outcome.NOT_APPLIED,
                    "it is " + Share.kindOf((int) answer.token()) + " at present, not "
                            + claim.share().kind(),
                    null);
        }
        if (mine.mayStillArrive()) {
            giveBackLater(claim.name(), claim.holder().value());
        }
        holders.forget(claim.holder());
        return new Attempt.Gone();
    }

    private Attempt refused(Claim claim, ClientHolder mine, long sentAt, LockCalls.Answer answer) {
        Long ticket = answer.ticket();
        if (ticket != null) {
            mine.queued(ticket, new ClientHolder.Refusal(sentAt, answer.token()));
        } else if (mine.mayStillArrive()) {
            // An earlier request of this holder may arrive behind the refusal. If the holder asked again, its release
            // could end its grant.
            giveBackLater(claim.name(), claim.holder().value());
            holders.forget(claim.holder());
            return new Attempt.Gone();
        } else {
            forgetUnlessKnown(claim, mine);
        }
        return new Attempt.Busy(Duration.ofMillis(answer.pollMillis()), answer.noted());
    }

    /** Nothing of this holder is on the server, nor on its way. */
    private void forgetUnlessKnown(Claim claim, ClientHolder mine) {
        if (mine.ticket() == null && !mine.mayStillArrive()) {
            holders.forget(claim.holder());
        }
    }

    List<Renewal> renew(List<Grant> held) {
        Boolean[] kept = calls.renew(held);
        List<Renewal> renewals = new ArrayList<>(held.size());
        for (int i = 0; i < kept.length; i++) {
            renewals.add(
                    kept[i]
                            ? new Renewal.Renewed(ServerLease.of(held.get(i).claim()))
                            : new Renewal.Lost("its lease had run out on the server, or its row was removed"));
        }
        return renewals;
    }

    Released release(Claim claim) {
        AtomicBoolean twice = new AtomicBoolean();
        return ending(claim, bury -> calls.release(claim, bury, () -> twice.set(true)), twice);
    }

    Released retain(Claim claim) {
        AtomicBoolean twice = new AtomicBoolean();
        return ending(claim, bury -> calls.retain(claim, bury, () -> twice.set(true)), twice);
    }

    /** The end of a hold; {@code bury} as in {@link LockCalls#release}. */
    @FunctionalInterface
    private interface End {
        boolean send(boolean bury);
    }

    /**
     * The holder stays known until the answer: a grant whose message comes late would be given back at once, and this release would find
     * nothing. The engine may give up after a failure. If it repeats the release, the holder is unknown here and gets a tombstone.
     */
    private Released ending(Claim claim, End end, AtomicBoolean twice) {
        boolean held;
        try {
            held = end.send(holders.mayStillArrive(claim.holder()));
        } finally {
            holders.forget(claim.holder());
        }
        cleaning.released();
        if (twice.get() && !held) {
            throw PostgresFailures.lostReply(calls.server(), "release of '" + claim.name() + "'");
        }
        return held ? Released.RELEASED : Released.NOT_HELD;
    }

    /** Releases a holder that this client does not use, and leaves a tombstone. Does not wait for it. */
    void giveBackLater(LockName name, String holder) {
        try {
            executor.execute(() -> giveBack(name, holder));
        } catch (RejectedExecutionException e) {
            LogQueue.log(System.Logger.Level.DEBUG, "the client is closed; the grant stays until its end", e);
        }
    }

    private void giveBack(LockName name, String holder) {
        try {
            calls.release(Claim.renewedLease(name, new HolderId(holder), Duration.ofSeconds(1), false), true, () -> {});
        } catch (BackendFailure e) {
            LogQueue.log(System.Logger.Level.DEBUG, "a grant without a holder stays until its end", e);
        }
    }
}
