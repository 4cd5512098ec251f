package io.hasp.engine;

import io.hasp.spi.Attempt;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.SignalListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A server with one lock. It answers at once, or on request. Thread-safe. */
public final class OneLockBackend implements LockBackend {
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final boolean atOnce;
    private final List<Runnable> unanswered = new ArrayList<>();
    private @Nullable HolderId holder;
    private long token;
    private int releases;
    private final List<HolderId> renewed = new ArrayList<>();
    private int renewalRequests;
    private boolean denies;

    public OneLockBackend(boolean atOnce) {
        this.atOnce = atOnce;
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE);
    }

    @Override
    public synchronized CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        Attempt attempt = new Attempt.Busy(Duration.ofSeconds(1));
        if (holder == null || holder.equals(claim.holder())) {
            holder = claim.holder();
            attempt = new Attempt.Granted(Grant.of(claim, ++token, LEASE));
        }
        return answer(attempt);
    }

    @Override
    public synchronized CompletionStage<List<Renewal>> renew(List<Grant> held) {
        held.forEach(grant -> renewed.add(grant.claim().holder()));
        renewalRequests++;
        List<Renewal> all = new ArrayList<>();
        held.forEach(grant -> all.add(denies ? new Renewal.Lost("nobody has it") : new Renewal.Renewed(LEASE)));
        return answer(all);
    }

    @Override
    public synchronized CompletionStage<Released> release(Claim claim) {
        releases++;
        if (!claim.holder().equals(holder)) {
            return answer(Released.NOT_HELD);
        }
        holder = null;
        return answer(Released.RELEASED);
    }

    /** From now on it knows of no grant that is to be renewed. */
    public synchronized void denyRenewals() {
        denies = true;
    }

    private <T> CompletionStage<T> answer(T value) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (atOnce) {
            answer.complete(value);
        } else {
            unanswered.add(() -> answer.complete(value));
        }
        return answer;
    }

    /** Answers one request, on the calling thread; false if there is none. */
    public boolean answerOne() {
        Runnable answer;
        synchronized (this) {
            answer = unanswered.isEmpty() ? null : unanswered.remove(0);
        }
        if (answer != null) {
            answer.run();
        }
        return answer != null;
    }

    public synchronized boolean isFree() {
        return holder == null;
    }

    /** Returns the number of grants. */
    public synchronized long grants() {
        return token;
    }

    public synchronized int releases() {
        return releases;
    }

    /** Returns the holders of all requested renewals. */
    public synchronized List<HolderId> renewals() {
        return List.copyOf(renewed);
    }

    public synchronized int renewalRequests() {
        return renewalRequests;
    }

    @Override
    public void close() {}
}
