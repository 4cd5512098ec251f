package io.hasp.redis.holder;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The holders of one client that the server may know of. */
public final class HolderRegistry {
    private final Map<String, HolderState> asking = new ConcurrentHashMap<>();

    public HolderState asks(HolderId holder, SignalListener signals) {
        HolderState mine = asking.computeIfAbsent(holder.value(), id -> new HolderState(signals));
        mine.asked(signals);
        return mine;
    }

    @Nullable
    public HolderState find(String holder) {
        return asking.get(holder);
    }

    /** True if an acquire of this holder may still arrive at the server. One that we don't know may have sent anything. */
    public boolean mayStillArrive(HolderId holder) {
        HolderState mine = asking.get(holder.value());
        return mine == null || mine.mayStillArrive();
    }

    public void forget(HolderId holder) {
        asking.remove(holder.value());
    }

    /** Tells a holder that it has the lock; false if there is no such holder. */
    public boolean wake(GrantMessage news) {
        @Nullable HolderState mine = asking.get(news.holder());
        if (mine != null) {
            mine.handedOver(news);
            mine.signals().onSignal(Signal.MAYBE_FREE);
        }
        return mine != null;
    }

    /** A grant that a message has brought to a holder which asks again; empty if the server has to be asked. */
    public Optional<Grant> handedOver(Claim claim, SignalListener signals, long now) {
        @Nullable HolderState mine = asking.get(claim.holder().value());
        return mine == null ? Optional.empty() : mine.handedOver(claim, signals, now);
    }

    /** Tells everyone who has a place in a queue to ask again. */
    public void wakeAll() {
        for (HolderState one : asking.values()) {
            if (!one.ticket().isEmpty()) {
                one.signals().onSignal(Signal.MAYBE_FREE);
            }
        }
    }
}
