package io.hasp.postgres;

import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.SignalListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The holders of one client that may have something on the server. Thread-safe. */
final class ClientHolders {
    private final Map<String, ClientHolder> holders = new ConcurrentHashMap<>();

    ClientHolder requesting(Claim claim, SignalListener signals) {
        ClientHolder mine =
                holders.computeIfAbsent(claim.holder().value(), id -> new ClientHolder(claim.name(), signals));
        mine.asked(claim, signals);
        return mine;
    }

    @Nullable
    ClientHolder find(HolderId holder) {
        return holders.get(holder.value());
    }

    /** True if an acquire of this holder may still arrive at the server; also for a holder that is not registered. */
    boolean mayStillArrive(HolderId holder) {
        ClientHolder mine = holders.get(holder.value());
        return mine == null || mine.mayStillArrive();
    }

    void forget(HolderId holder) {
        holders.remove(holder.value());
    }

    /** Passes a message on; false if there is no such holder. */
    boolean receive(Message message) {
        ClientHolder mine = holders.get(message.holder());
        if (mine == null) {
            return false;
        }
        if (message.isRecall()) {
            mine.recall();
        } else if (message.isGrant()) {
            mine.granted(message);
        } else {
            mine.wake();
        }
        return true;
    }

    /** Recalls what may be kept, and lets every waiter ask again: messages may be missing. */
    void messagesMayBeMissing() {
        holders.values().forEach(holder -> {
            holder.recall();
            holder.wake();
        });
    }
}
