package io.hasp.redis;

import io.hasp.spi.BackendContext;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;

/**
 * Hears the nodes that keep a lock for a waiter of this client, and tells the waiter to ask again: when a majority has called,
 * or a moment after the first. If the waiter is over, nobody would take it, so it goes back at once.
 */
record WakeUps(Holders holders, Redlock redlock, BackendContext context) implements Node.Listener {
    private static final Duration MOMENT = Duration.ofMillis(3);

    @Override
    public void message(Node node, String message) {
        int bar = message.indexOf('|');
        if (bar <= 0) {
            return;
        }
        String holder = message.substring(0, bar);
        Asking waiter = holders.find(holder);
        if (waiter == null) {
            List<String> keys = Keys.of(message.substring(bar + 1), holder);
            Call back = new Call(redlock.scripts().release(), keys, List.of(holder, "1", "0"));
            context.executor().execute(() -> node.tell(back));
            return;
        }
        int called = waiter.called();
        if (called == redlock.quorum().majority()) {
            waiter.signals().onSignal(Signal.MAYBE_FREE);
        } else if (called == 1) {
            context.timing().schedule(MOMENT, () -> waiter.signals().onSignal(Signal.MAYBE_FREE));
        }
    }

    @Override
    public void returned() {
        holders.wakeAll();
    }
}
