package io.hasp.redis.holder;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The holders of one client that may have something on the server. Thread-safe. */
public final class HolderRegistry {
    private final Map<String, HolderState> states = new ConcurrentHashMap<>();
    private final AtomicInteger switches = new AtomicInteger();

    public HolderState requesting(Claim claim, SignalListener signals) {
        HolderState mine = states.computeIfAbsent(claim.holder().value(), id -> new HolderState(claim.name(), signals));
        mine.asked(signals);
        return mine;
    }

    @Nullable
    public HolderState find(String holder) {
        return states.get(holder);
    }

    /** True if an acquire of this holder may still arrive at the server; also for a holder that is not registered. */
    public boolean mayStillArrive(HolderId holder) {
        HolderState mine = states.get(holder.value());
        return mine == null || mine.mayStillArrive();
    }

    /** Redlock only: true if the release of this holder has begun and is not answered. */
    public boolean isReleasing(HolderId holder) {
        HolderState mine = states.get(holder.value());
        return mine != null && mine.releasing();
    }

    public void forget(HolderId holder) {
        states.remove(holder.value());
    }

    /** Notifies a holder of its grant; false if there is no such holder. */
    public boolean wake(GrantMessage message) {
        @Nullable HolderState mine = states.get(message.holder());
        if (mine != null) {
            mine.directGrant(message);
            mine.signals().onSignal(Signal.MAYBE_FREE);
        }
        return mine != null;
    }

    /** Notifies a holder that another client requests its lock; false if there is no such holder. */
    public boolean recall(RecallMessage message) {
        @Nullable HolderState mine = states.get(message.holder());
        if (mine != null) {
            mine.recall();
        }
        return mine != null;
    }

    /** Recalls every lock that may be kept: recalls by other clients may be missing. */
    public void recallAll() {
        states.values().forEach(HolderState::recall);
    }

    /**
     * Reports that another server answers for these locks from now on, perhaps with less data. Holders renew now, waiters ask again, and
     * the promises of the former server no longer count.
     */
    public void otherServer(Predicate<LockName> locks) {
        switches.incrementAndGet();
        states.values().stream().filter(mine -> locks.test(mine.lock())).forEach(HolderState::otherServer);
    }

    /** The number of reports so far that another server answers for some locks. */
    public int switches() {
        return switches.get();
    }

    /** Returns the direct grant that a message has brought to this holder; empty if the holder has to ask the server. */
    public Optional<Attempt.Granted> directGrant(Claim claim, SignalListener signals, long now) {
        @Nullable HolderState mine = states.get(claim.holder().value());
        return mine == null ? Optional.empty() : mine.directGrant(claim, signals, now);
    }

    /** Wakes every queued holder, so that it asks again. */
    public void wakeAll() {
        for (HolderState one : states.values()) {
            if (!one.ticket().isEmpty()) {
                one.signals().onSignal(Signal.MAYBE_FREE);
            }
        }
    }
}
