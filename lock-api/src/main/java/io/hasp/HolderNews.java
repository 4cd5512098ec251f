package io.hasp;

import io.hasp.spi.HolderId;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The signals about one holder id since a request of it was sent. They may come before the answer that makes a lease, or
 * while one lease passes to the next: so the latest is kept here, and a lease looks at it as soon as signals reach it.
 */
final class HolderNews implements SignalListener {
    /** A signal; compared by identity, so that a later one of the same kind is another one. */
    static final class Item {
        final Signal signal;

        Item(Signal signal) {
            this.signal = signal;
        }
    }

    private final Attempts attempts;
    private final LocalQueue queue;
    private final HolderId holder;
    private final AtomicReference<@Nullable Item> latest = new AtomicReference<>();

    HolderNews(Attempts attempts, LocalQueue queue, HolderId holder) {
        this.attempts = attempts;
        this.queue = queue;
        this.holder = holder;
    }

    @Override
    public void onSignal(Signal signal) {
        if (signal != Signal.MAYBE_FREE) {
            keep(new Item(signal));
        }
        if (attempts.ended()) {
            queue.signalled(holder, signal);
        } else if (signal != Signal.SUSPECT) {
            attempts.wake();
        }
    }

    /** LOST is final. */
    private void keep(Item item) {
        latest.updateAndGet(present -> present != null && present.signal == Signal.LOST ? present : item);
    }

    /** The latest signal about the holder itself, if there was one that no renewal has answered. */
    @Nullable
    Item latest() {
        return latest.get();
    }

    boolean lost() {
        Item item = latest.get();
        return item != null && item.signal == Signal.LOST;
    }

    /** The server has confirmed the holder in answer to a request that was sent after this item came. */
    void answered(@Nullable Item item) {
        if (item != null && item.signal != Signal.LOST) {
            latest.compareAndSet(item, null);
        }
    }
}
