package io.hasp;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Releases holders of which something may be left on the server (given up, outcome unknown, lost), in the background,
 * until it is answered. Gives up when the lease or session must have ended by itself.
 */
final class Withdrawals {
    private static final System.Logger LOG = System.getLogger("io.hasp");
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final Engine engine;
    private final Map<HolderId, LockName> open = new ConcurrentHashMap<>();
    private final Queue<CompletableFuture<Void>> watchers = new ConcurrentLinkedQueue<>();

    Withdrawals(Engine engine) {
        this.engine = engine;
    }

    void withdraw(LockName name, HolderId holder) {
        open.put(holder, name);
        engine.execute(() -> attempt(name, holder, engine.now(), FIRST_PAUSE));
    }

    /** Completes when nothing is open any more. */
    CompletableFuture<Void> allSettled() {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        watchers.add(settled);
        tellIfSettled();
        return settled;
    }

    private void settle(HolderId holder) {
        open.remove(holder);
        tellIfSettled();
    }

    private void tellIfSettled() {
        if (open.isEmpty()) {
            for (CompletableFuture<Void> settled = watchers.poll(); settled != null; settled = watchers.poll()) {
                settled.complete(null);
            }
        }
    }

    private void attempt(LockName name, HolderId holder, long since, long pause) {
        engine.backend.release(name, holder).whenComplete((released, failure) -> {
            if (failure == null) {
                settle(holder);
                return;
            }
            long lease = Durations.nanos(engine.options.lease());
            if (engine.closed() || engine.now() - since > Math.max(lease * 4, TimeUnit.MINUTES.toNanos(5))) {
                settle(holder);
                LOG.log(
                        System.Logger.Level.WARNING,
                        "gave up releasing holder " + holder + " of lock '" + name
                                + "': it ends with its lease or session",
                        failure);
                return;
            }
            engine.after(pause, () -> attempt(name, holder, since, Math.min(pause * 2, LONGEST_PAUSE)));
        });
    }
}
